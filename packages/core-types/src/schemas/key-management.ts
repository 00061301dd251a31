import { z } from 'zod'
import { did } from './fields.js'
import { ListedKey } from './holdings.js'

/** A configured KMS. Its capabilities may be unknown: those of a third-party one, or of a missing token. */
export const ListedKms = z.object({
  name: z.string().meta({ description: 'As `kms` of requests names it' }),
  keyTypes: z
    .array(z.string())
    .exactOptional()
    .meta({ description: 'Key types that it can create; absent if unknown' }),
  importsKeys: z.boolean().exactOptional().meta({
    description: 'Whether it can import private keys; absent if unknown',
  }),
})

export const KeyFindArgs = z.object({
  publicKeys: z.array(
    z.object({ type: z.string().min(1), publicKeyHex: z.string().regex(/^[0-9a-fA-F]+$/) }),
  ),
})

const DIDPurpose = z
  .enum(['assertionMethod', 'authentication', 'publish'])
  .meta({ description: 'Purpose, which determines the verification relationship that the key must be in' })

export const DIDHeldKeyArgs = z.strictObject({
  did: did('The DID that the account is to hold'),
  act: DIDPurpose,
  key: z
    .object({ type: z.string(), publicKeyHex: z.string() })
    .optional()
    .meta({ description: 'Only this key; default: the first suitable one' }),
})

export const DIDHoldingArgs = DIDHeldKeyArgs.omit({ act: true }).extend({ purpose: DIDPurpose })

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
    description: 'Finds keys of the account by their public keys',
    arguments: KeyFindArgs,
    returns: z.array(z.looseObject({ kid: z.string(), type: z.string(), publicKeyHex: z.string() })),
  },
}
export const didHoldingMethods = {
  didHeldKey: {
    description: 'Finds the key by which the account holds a DID for a purpose',
    arguments: DIDHeldKeyArgs,
    returns: z.object({
      methodId: z.string().meta({ description: 'Absolute DID URL of the verification method' }),
      key: PublicKey,
    }),
  },
}
