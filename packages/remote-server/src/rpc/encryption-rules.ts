import { BOUNDS, isJsonObject, parseForeignJson, type Problem } from '@vidimus/core-types'
import { publicKeyOfBytes } from '@vidimus/verification-methods'
import { z } from 'zod'

type Arguments = Readonly<Record<string, unknown>>

const AGREEMENT_TYPES: readonly unknown[] = ['Ed25519', 'X25519']
const HEX = /^[0-9a-f]+$/i

/** Veramo fails on invalid keys. */
export const agreementKey =
  (member: string) =>
  ({ [member]: key }: Arguments): Problem[] => {
    const { type, publicKeyHex } = isJsonObject(key) ? key : {}
    // The schema reports missing members.
    if (typeof type !== 'string' || typeof publicKeyHex !== 'string') return []
    if (!AGREEMENT_TYPES.includes(type)) {
      return [{ path: `${member}.type`, message: 'must be Ed25519 or X25519' }]
    }
    if (HEX.test(publicKeyHex) && publicKeyOfBytes(type, Buffer.from(publicKeyHex, 'hex'))) return []
    return [
      { path: `${member}.publicKeyHex`, message: `must be a public key of type ${type}, in hexadecimal` },
    ]
  }

const base64url = z.string().regex(/^[\w-]*$/)
const Encrypted = z.looseObject({
  protected: base64url.transform((text) => parsed(Buffer.from(text, 'base64url').toString())),
  iv: base64url,
  ciphertext: base64url,
  tag: base64url,
  aad: base64url.optional(),
  // Each costs a key agreement, and all are tried in one turn of the event loop.
  recipients: z
    .array(z.looseObject({ header: z.looseObject({}), encrypted_key: base64url }))
    .max(BOUNDS.recipients)
    .default([]),
})

/** How the recipients of an anonymous message obtain its key. */
const AGREEMENT = 'ECDH-ES+XC20PKW'
const AgreementHeader = z.looseObject({
  iv: base64url,
  tag: base64url,
  epk: z.looseObject({
    x: base64url.refine((x) => publicKeyOfBytes('X25519', Buffer.from(x, 'base64url')) !== undefined),
  }),
})

/** A JWE in JSON, which Veramo parses without validation. */
export function encryptedData({ data }: Arguments): Problem[] {
  if (typeof data !== 'string' || isMessage(parsed(data))) return []
  const message = `must be a JWE in JSON, for at most ${BOUNDS.recipients} recipients`
  return [{ path: 'data', message }]
}

function isMessage(value: unknown): boolean {
  const { data: message } = Encrypted.safeParse(value)
  if (!message || !isJsonObject(message.protected)) return false
  const common = message.protected
  return message.recipients.every(({ header }) => {
    // Protected members take precedence, as in Veramo.
    const whole: Arguments = { ...header, ...common }
    return whole.alg !== AGREEMENT || AgreementHeader.safeParse(whole).success
  })
}

function parsed(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
