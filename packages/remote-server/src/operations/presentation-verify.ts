import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import {
  exampleHolder,
  exampleJwt,
  exampleVerification,
  PresentationVerification,
} from '../schemas/credential.js'
import { exampleDid } from '../schemas/did.js'
import { described, ignored, jwtOrObject } from '../schemas/primitives.js'
import { alwaysVerified } from './credential-verify.js'
import { withoutTestingNote } from './testing-note.js'
import { withoutUndefined } from './without-undefined.js'

export const presentationVerify = defineOperation({
  id: 'presentation-verify',
  method: 'post',
  path: '/presentation/verify',
  tag: 'Presentations',
  summary: 'Verify a presentation',
  description:
    'Verifies the presentation and every credential in it. If it does not verify, the response is a 200 with `verified: false` and the reason.',
  needs: ['presentationVerify'],
  changes: true,
  query: z.strictObject({ verifyStatus: alwaysVerified() }),
  body: z.strictObject({
    presentation: jwtOrObject(described(schemas.PresentationVerifyArgs.shape.presentation)),
    ...schemas.expectations,
    ...schemas.statusTerms,
    policies: ignored('Policies are ignored: everything is verified.'),
  }),
  response: PresentationVerification,
  responseExample: {
    verified: true,
    holder: exampleHolder,
    signer: `${exampleHolder}#z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK`,
    checks: [{ check: 'signature', ok: true }],
    credentials: [exampleVerification],
  },
  examples: [{ summary: 'A JWT', body: { presentation: exampleJwt, verifierDid: exampleDid } }],
  run: ({ body: { policies, presentation, ...body }, agent }) =>
    agent.presentationVerify({
      ...withoutUndefined(body),
      presentation: withoutTestingNote(presentation),
    }),
})
