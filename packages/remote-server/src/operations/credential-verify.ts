import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { CredentialVerification, exampleJwt, exampleVerification } from '../schemas/credential.js'
import { ignored, jwtOrObject } from '../schemas/primitives.js'
import { withoutUndefined } from './without-undefined.js'

/** Clients of other services ask for it; here `statusPolicy` decides. */
export const alwaysVerified = () =>
  z
    .boolean()
    .refine((wanted) => wanted, 'leave it out or send true; statusPolicy decides how the status is verified')
    .optional()
    .meta({ description: 'Must be true or left out: `statusPolicy` decides' })

export const statusPolicy = () =>
  z.enum(['default', 'required', 'skip']).optional().meta({
    description:
      '`default`: every status entry that there is must be good; `required`: and one for revocation must be there; `skip`: none is looked at',
  })

export const makeFeePayment = () =>
  z.boolean().optional().meta({
    description:
      'Default false: where the status stands in an encrypted list that nobody paid for, it does not verify. True: pays',
  })

/** In CHEQ, of whatever the call pays. */
export const maxFee = () =>
  z.number().min(0).max(1_000_000_000).optional().meta({
    description:
      'The most that this call pays, in CHEQ, for all encrypted lists together; default: what the installation allows',
    example: 5,
  })

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
    credential: jwtOrObject('The credential: JWT, or JSON with a JWT proof'),
    statusPolicy: statusPolicy(),
    makeFeePayment: makeFeePayment(),
    maxFee: maxFee(),
    policies: ignored('Everything is verified.'),
  }),
  response: CredentialVerification,
  responseExample: exampleVerification,
  examples: [{ summary: 'A JWT', body: { credential: exampleJwt } }],
  run: ({ body: { policies, ...body }, agent }) => agent.credentialVerify(withoutUndefined(body)),
})
