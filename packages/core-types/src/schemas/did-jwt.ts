import { z } from 'zod'
import { did, jsonObject } from './fields.js'

const relationship = z
  .enum(['assertionMethod', 'authentication'])
  .optional()
  .meta({ description: 'Default: `assertionMethod`' })

export const DIDJwtCreateArgs = z.strictObject({
  did: did('Signer: a DID of the account'),
  payload: jsonObject,
  header: jsonObject
    .refine((header) => !('crit' in header), { error: 'must not demand extensions (crit)' })
    .optional()
    .meta({
      description: '`alg` and `kid` (the full id of the verification method) are added',
    }),
  relationship,
})

export const DIDJwtVerifyArgs = z.strictObject({
  jwt: z.string(),
  did: did('Expected signer: the `kid` must be a verification method of this DID'),
  relationship,
})

export const DIDJwtVerifyResult = z.object({
  header: jsonObject,
  payload: jsonObject,
  signer: z.string().meta({ description: 'Id of the verification method whose key verified the signature' }),
})
