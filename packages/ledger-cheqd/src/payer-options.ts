import { EnglishMnemonic, stringToPath } from '@cosmjs/crypto'
import { hasMethods, optionSentence } from '@vidimus/core-types'
import { z } from 'zod'

/** The part of Veramo's `AbstractKeyManagementSystem` that a payer needs; a hardware module may only have `sign`. */
export interface PayerKeys {
  sign(args: { keyRef: { kid: string }; algorithm?: string; data: Uint8Array }): Promise<string>
  listKeys?(): Promise<{ kid: string; publicKeyHex: string }[]>
}

export type CheqdPayerOptions =
  | {
      /** 12 to 24 English words (BIP-39) */
      mnemonic: string
      /** BIP-32 path of the account, default `m/44'/118'/0'/0/0` */
      hdPath?: string
    }
  | {
      /** any key management system that signs with ES256K */
      kms: PayerKeys
      /** of a secp256k1 key */
      kid: string
      /** of the key, compressed or not; absent: from `listKeys` of the KMS */
      publicKeyHex?: string
    }

/** As in cosmos wallets and those of cheqd. */
const DEFAULT_PATH = "m/44'/118'/0'/0/0"

const withoutError = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

// The messages repeat nothing of the input: part of a mnemonic is part of a secret.
const Mnemonic = z.string().transform((text, context) => {
  const words = text.normalize('NFKD').trim().toLowerCase().split(/\s+/).join(' ')
  if (withoutError(() => new EnglishMnemonic(words))) return words
  context.addIssue({
    code: 'custom',
    message: 'must be 12, 15, 18, 21 or 24 English words of BIP-39, with a valid checksum',
  })
  return z.NEVER
})

const HdPath = z
  .string()
  .refine((text) => withoutError(() => stringToPath(text)), `must be a BIP-32 path such as ${DEFAULT_PATH}`)

const FromMnemonic = z.strictObject({ mnemonic: Mnemonic, hdPath: HdPath.default(DEFAULT_PATH) })

const canSign = (value: unknown): value is PayerKeys => hasMethods(value, 'sign')

const FromKms = z.strictObject({
  kms: z.custom<PayerKeys>(canSign, 'must be a key management system, with the method sign'),
  kid: z.string().min(1),
  publicKeyHex: z
    .string()
    .regex(/^(0[23][0-9a-f]{64}|04[0-9a-f]{128})$/i, 'must be a secp256k1 public key in hex')
    .optional(),
})

export const PayerOptions = z.unknown().transform((value, context) => {
  const shape = typeof value === 'object' && value !== null && 'kms' in value ? FromKms : FromMnemonic
  const result = shape.safeParse(value, { error: optionSentence })
  if (result.success) return result.data
  for (const { path, message } of result.error.issues) {
    context.addIssue({ code: 'custom', path: [...path], message })
  }
  return z.NEVER
})

export type PayerSettings = z.output<typeof PayerOptions>
