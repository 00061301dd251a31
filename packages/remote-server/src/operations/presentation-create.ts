import { BOUNDS } from '@vidimus/core-types'
import { presentationCreateArgs } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleHolder, exampleJwt, PresentationResult } from '../schemas/credential.js'
import { exampleDid } from '../schemas/did.js'
import { described, did, ignored, jwtsOrObjects } from '../schemas/primitives.js'
import { TESTING_NOTE } from './testing-note.js'
import { withoutUndefined } from './without-undefined.js'

const asked = presentationCreateArgs(BOUNDS.credentials).shape

export const presentationCreate = defineOperation({
  id: 'presentation-create',
  method: 'post',
  path: '/presentation/create',
  tag: 'Presentations',
  summary: 'Create a presentation (for testing)',
  description: [
    'Signs a Verifiable Presentation with a DID of the account. **For testing, not for production**: in production the',
    'holder creates presentations in a wallet that holds the key.',
  ].join('\n'),
  testOnly: true,
  needs: ['presentationCreate'],
  changes: true,
  body: z.strictObject({
    ...asked,
    credentials: jwtsOrObjects(described(asked.credentials)),
    holderDid: did(described(asked.holderDid)).optional(),
    verifierDid: did(described(asked.verifierDid)).optional(),
    policies: ignored('Policies are ignored: they apply to verification.'),
  }),
  response: PresentationResult,
  responseExample: {
    vp: {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      type: ['VerifiablePresentation'],
      verifiableCredential: [exampleJwt],
    },
    nbf: 1769851800,
    exp: 1769855400,
    iss: exampleHolder,
    aud: [exampleDid],
    proof: { type: 'JwtProof2020', jwt: exampleJwt },
    note: TESTING_NOTE,
  },
  examples: [
    {
      summary: 'One credential',
      body: { credentials: [exampleJwt], holderDid: exampleHolder, verifierDid: exampleDid },
    },
    {
      summary: 'One SD-JWT, with key binding',
      body: {
        format: 'dc+sd-jwt',
        credentials: [`${exampleJwt}~WyJzYWx0IiwibmFtZSIsIkJvYiJd~`],
        audience: 'https://verifier.example',
        nonce: 'n-0S6',
        presentationFrame: { name: true },
      },
    },
    {
      summary: 'With a Data Integrity proof',
      body: {
        format: 'ldp_vp',
        credentials: [exampleJwt],
        audience: 'https://verifier.example',
        nonce: 'n-0S6',
      },
    },
  ],
  async run({ body: { policies, ...body }, agent }) {
    return { ...(await agent.presentationCreate(withoutUndefined(body))), note: TESTING_NOTE }
  },
})
