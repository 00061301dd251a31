import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { CredentialVerification, exampleJwt, exampleVerification } from '../schemas/credential.js'
import { described, ignored, jwtOrObject } from '../schemas/primitives.js'
import { withoutUndefined } from './without-undefined.js'

/** Clients of other services send it; here `statusPolicy` decides. */
export const alwaysVerified = () =>
  z
    .boolean()
    .refine((wanted) => wanted, 'omit it or send true; use statusPolicy to choose how the status is verified')
    .optional()
    .meta({ description: 'Must be true or omitted: use `statusPolicy`' })

export const credentialVerify = defineOperation({
  id: 'credential-verify',
  method: 'post',
  path: '/credential/verify',
  tag: 'Credentials',
  summary: 'Verify a credential',
  description:
    'Verifies signature, validity and status of a credential in any configured format; `statuses` has the result of each status entry. A credential that does not verify is a 200 with `verified: false` and the reason.',
  needs: ['credentialVerify'],
  changes: true,
  query: z.strictObject({ verifyStatus: alwaysVerified() }),
  body: z.strictObject({
    credential: jwtOrObject(described(schemas.CredentialVerifyArgs.shape.credential)),
    ...schemas.statusTerms,
    policies: ignored('Policies are ignored: everything is verified.'),
  }),
  response: CredentialVerification,
  responseExample: exampleVerification,
  examples: [{ summary: 'A JWT', body: { credential: exampleJwt } }],
  run: ({ body: { policies, ...body }, agent }) => agent.credentialVerify(withoutUndefined(body)),
})
