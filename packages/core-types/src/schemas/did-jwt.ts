import { z } from 'zod'
import { did, jsonObject } from './fields.js'

const relationship = z
  .enum(['assertionMethod', 'authentication'])
  .optional()
  .meta({ description: 'Default: `assertionMethod`' })

export const DIDJwtCreateArgs = z.strictObject({
  did: did('Who signs: a DID that the account holds'),
  payload: jsonObject,
  header: jsonObject
    .refine((header) => !('crit' in header), { error: 'must not demand extensions (crit)' })
    .optional()
    .meta({
      description: '`alg` and `kid` are added, the latter as the full id of the verification method',
    }),
  relationship,
})

export const DIDJwtVerifyArgs = z.strictObject({
  jwt: z.string(),
  did: did('Who must have signed: the `kid` must be a verification method of this DID'),
  relationship,
})

export const DIDJwtVerifyResult = z.object({
  header: jsonObject,
  payload: jsonObject,
  signer: z.string().meta({ description: 'Id of the verification method whose key verified the signature' }),
})
