import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleHolder } from '../schemas/credential.js'
import {
  exampleCredential,
  exampleProof,
  Secured,
  VcApiPresentationResult,
  VerifyPresentationOptions,
} from '../schemas/vc-api.js'
import { isMalformedPresentation, presentationResult } from '../vc-api/verification-results.js'
import { vcApiPaths } from '../vc-api/vc-api-paths.js'
import { VC_API_REFUSAL } from '../vc-api/vc-api-refusal.js'
import { withoutUndefined } from './without-undefined.js'

export const vcApiVerifyPresentation = defineOperation({
  id: 'vc-api-verify-presentation',
  method: 'post',
  path: '/presentations/verify',
  tag: 'VC API',
  switch: 'vcApi',
  summary: 'Verify a presentation (VC API)',
  description:
    'Verifies the proof of the presentation and every credential in it. A 400 if it cannot be read; a 200 with `verified: false` for any other problem. Presentations without a proof are rejected: verify their credentials one by one.',
  needs: ['presentationVerify'],
  changes: false,
  jsonOnly: true,
  body: z.strictObject({
    verifiablePresentation: Secured('The presentation'),
    options: VerifyPresentationOptions,
  }),
  response: VcApiPresentationResult,
  responseExample: {
    verified: true,
    results: { presentation: { holder: { verified: true, input: exampleHolder } }, credentials: [] },
  },
  isMalformed: isMalformedPresentation,
  refusal: VC_API_REFUSAL,
  examples: [
    {
      summary: 'For one verifier',
      body: {
        verifiablePresentation: {
          '@context': exampleCredential['@context'],
          type: ['VerifiablePresentation'],
          holder: exampleHolder,
          verifiableCredential: [{ ...exampleCredential, proof: exampleProof }],
          proof: { ...exampleProof, proofPurpose: 'authentication', challenge: 'n-0S6' },
        },
        options: { challenge: 'n-0S6' },
      },
    },
  ],
  async run({ body: { verifiablePresentation: presentation, options = {} }, agent }) {
    const { challenge: nonce, domain: audience } = options
    const verdict = await vcApiPaths(() =>
      agent.presentationVerify({ presentation, ...withoutUndefined({ nonce, audience }) }),
    )
    return presentationResult(verdict, presentation, options)
  },
})
