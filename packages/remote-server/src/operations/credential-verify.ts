import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { CredentialVerification, exampleJwt, exampleVerification } from '../schemas/credential.js'
import { described, ignored, jwtOrObject } from '../schemas/primitives.js'
import { withoutUndefined } from './without-undefined.js'

/** Clients of other services ask for it; here `statusPolicy` decides. */
export const alwaysVerified = () =>
  z
    .boolean()
    .refine((wanted) => wanted, 'leave it out or send true; statusPolicy decides how the status is verified')
    .optional()
    .meta({ description: 'Must be true or left out: `statusPolicy` decides' })

export const credentialVerify = defineOperation({
  id: 'credential-verify',
  method: 'post',
  path: '/credential/verify',
  tag: 'Credentials',
  summary: 'Verify a credential',
  description:
    'Verifies signature, validity and status, whichever of the configured forms it has; `statuses` tells what each of its status entries says. A credential that does not verify is a 200 with `verified: false` that says why.',
  needs: ['credentialVerify'],
  changes: true,
  query: z.strictObject({ verifyStatus: alwaysVerified() }),
  body: z.strictObject({
    credential: jwtOrObject(described(schemas.CredentialVerifyArgs.shape.credential)),
    ...schemas.statusTerms,
    policies: ignored('Everything is verified.'),
  }),
  response: CredentialVerification,
  responseExample: exampleVerification,
  examples: [{ summary: 'A JWT', body: { credential: exampleJwt } }],
  run: ({ body: { policies, ...body }, agent }) => agent.credentialVerify(withoutUndefined(body)),
})
