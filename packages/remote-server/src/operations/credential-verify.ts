import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { CredentialVerification, exampleJwt, exampleVerification } from '../schemas/credential.js'
import { ignored, jwtOrObject } from '../schemas/primitives.js'

/** Clients of other services ask for it; here there is no way around it. */
export const alwaysVerified = () =>
  z
    .boolean()
    .refine((wanted) => wanted, 'the status is always verified; leave it out or send true')
    .optional()
    .meta({ description: 'Has to be true or left out: the status is always verified' })

export const credentialVerify = defineOperation({
  id: 'credential-verify',
  method: 'post',
  path: '/credential/verify',
  tag: 'Credentials',
  summary: 'Verify a credential',
  description:
    'Verifies signature, validity and status. A credential that does not verify is a 200 with `verified: false` that says why.',
  scopes: ['credentials', 'read'],
  needs: ['credentialVerify'],
  query: z.strictObject({ verifyStatus: alwaysVerified() }),
  body: z.strictObject({
    credential: jwtOrObject('The credential: JWT, or JSON with a JWT proof'),
    policies: ignored('Everything is verified.'),
  }),
  response: CredentialVerification,
  responseExample: exampleVerification,
  examples: [{ summary: 'A JWT', body: { credential: exampleJwt } }],
  run: ({ body: { credential }, agent }) => agent.credentialVerify({ credential }),
})
