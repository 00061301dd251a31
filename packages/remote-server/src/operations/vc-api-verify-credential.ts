import { z } from 'zod'
import { defineOperation } from '../operation.js'
import {
  exampleCredential,
  exampleProof,
  Secured,
  VcApiCredentialResult,
  VerifyCredentialOptions,
} from '../schemas/vc-api.js'
import { credentialResult, isMalformedCredential } from '../vc-api/verification-results.js'
import { VC_API_REFUSAL } from '../vc-api/vc-api-refusal.js'

export const vcApiVerifyCredential = defineOperation({
  id: 'vc-api-verify-credential',
  method: 'post',
  path: '/credentials/verify',
  tag: 'VC API',
  switch: 'vcApi',
  summary: 'Verify a credential (VC API)',
  description:
    'Verifies signature, validity and status. A 400 if it is not a verifiable credential or its signature is invalid; a 200 with `verified: false` if it has expired or its status is not valid.',
  needs: ['credentialVerify'],
  changes: false,
  jsonOnly: true,
  body: z.strictObject({
    verifiableCredential: Secured('The credential'),
    options: VerifyCredentialOptions,
  }),
  response: VcApiCredentialResult,
  responseExample: { verified: true },
  isMalformed: isMalformedCredential,
  refusal: VC_API_REFUSAL,
  examples: [
    {
      summary: 'One with a proof',
      body: { verifiableCredential: { ...exampleCredential, proof: exampleProof } },
    },
  ],
  async run({ body: { verifiableCredential, options = {} }, agent }) {
    const verdict = await agent.credentialVerify({ credential: verifiableCredential })
    return credentialResult(verdict, verifiableCredential, options)
  },
})
