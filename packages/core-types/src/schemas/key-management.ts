import { z } from 'zod'
import { did } from './fields.js'
import { ListedKey } from './holdings.js'

/** A configured KMS. Its capabilities may be unknown: those of a third-party one, or of a missing token. */
export const ListedKms = z.object({
  name: z.string().meta({ description: 'As `kms` of requests names it' }),
  keyTypes: z
    .array(z.string())
    .exactOptional()
    .meta({ description: 'Types of keys that it makes; absent where it cannot tell' }),
  importsKeys: z.boolean().exactOptional().meta({
    description:
      'Whether private keys that were made elsewhere can be put in it; absent where it cannot tell',
  }),
})

export const KeyFindArgs = z.object({
  publicKeys: z.array(
    z.object({ type: z.string().min(1), publicKeyHex: z.string().regex(/^[0-9a-fA-F]+$/) }),
  ),
})

export const DIDHeldKeyArgs = z.strictObject({
  did: did('The DID that the account is to hold'),
  act: z
    .enum(['assertionMethod', 'authentication', 'publish'])
    .meta({ description: 'What is to be done, and so where the key must stand in the document' }),
  key: z
    .object({ type: z.string(), publicKeyHex: z.string() })
    .optional()
    .meta({ description: 'The only key that will do; default: the first that may' }),
})

/** The properties that every key has. */
export const PublicKey = ListedKey.pick({ kid: true, type: true, publicKeyHex: true, kms: true })

/** The agent methods beside those of Veramo's key manager and DID manager. */
export const keyManagementMethods = {
  keyManagerListKms: {
    description: 'Lists the configured KMSs with what they can do',
    arguments: z.object({}),
    returns: z.array(ListedKms),
  },
}
export const keyFindingMethods = {
  keyManagerFind: {
    description: 'Finds the keys of the account by their public halves',
    arguments: KeyFindArgs,
    returns: z.array(z.looseObject({ kid: z.string(), type: z.string(), publicKeyHex: z.string() })),
  },
}
export const didHoldingMethods = {
  didHeldKey: {
    description: 'Finds the key by which the account holds a DID for an act',
    arguments: DIDHeldKeyArgs,
    returns: z.object({
      methodId: z.string().meta({ description: 'Absolute DID URL of the verification method' }),
      key: PublicKey,
    }),
  },
}
