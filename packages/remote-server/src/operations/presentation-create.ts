import { BOUNDS } from '@vidimus/core-types'
import { word } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleHolder, exampleJwt, PresentationResult } from '../schemas/credential.js'
import { exampleDid } from '../schemas/did.js'
import { did, ignored, duration, jwtsOrObjects, text } from '../schemas/primitives.js'
import { TESTING_NOTE } from './testing-note.js'
import { withoutUndefined } from './without-undefined.js'

export const presentationCreate = defineOperation({
  id: 'presentation-create',
  method: 'post',
  path: '/presentation/create',
  tag: 'Presentations',
  summary: 'Create a presentation (for testing)',
  description: [
    'Signs a Verifiable Presentation with a DID of the account. **For testing, not for production**: in production the',
    'holder makes presentations in a wallet, where the key stays in his hands.',
  ].join('\n'),
  testOnly: true,
  needs: ['presentationCreate'],
  changes: true,
  body: z.strictObject({
    credentials: jwtsOrObjects('Credentials as JWT, or as JSON with a JWT proof'),
    format: word(
      'Form of the presentation, one of the configured ones; default: the first. Credentials in `vp+jwt` are of the data model 2.0',
      ['jwt_vp', 'vp+jwt'],
    ).optional(),
    holderDid: did(
      'DID of the holder, held by the account; default: the subject of the credentials',
    ).optional(),
    verifierDid: did('DID of the verifier; becomes `aud`').optional(),
    audience: text('The verifier, where it has no DID; becomes `aud`', BOUNDS.claim).optional(),
    nonce: text(
      'What the verifier asked for, so that nobody can show it the same presentation again',
      BOUNDS.claim,
    ).optional(),
    expiresIn: duration.optional().meta({
      description: 'How long it is valid, as ISO 8601 has it; default: `PT1H`',
      example: 'PT15M',
    }),
    policies: ignored('Policies are a matter of verifying.'),
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
  ],
  async run({ body: { policies, ...body }, agent }) {
    return { ...(await agent.presentationCreate(withoutUndefined(body))), note: TESTING_NOTE }
  },
})
