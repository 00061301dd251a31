import { BOUNDS } from '@vidimus/core-types'
import { z } from 'zod'
import { KEY_TYPES } from './did.js'
import { hexKey, text } from './primitives.js'

/** A key imported with its private half; sections 2.6 and 4.2 of the contract. */
export const privateKeyFields = {
  alias: text('Label of the key, unique within the account', BOUNDS.name).optional(),
  type: z.enum(KEY_TYPES).default('Ed25519').meta({ description: 'Type of the key' }),
  privateKeyHex: hexKey('Private key (hex): 32 bytes; for Ed25519 also 64, seed and public key').meta({
    format: 'password',
  }),
  encrypted: z
    .boolean()
    .refine((encrypted) => !encrypted, 'encrypted transfer of private keys is not supported')
    .optional()
    .meta({ description: 'Must be false or omitted: encrypted transfer is not supported' }),
}

export const PrivateKey = z.strictObject(privateKeyFields)
export type PrivateKey = z.output<typeof PrivateKey>
