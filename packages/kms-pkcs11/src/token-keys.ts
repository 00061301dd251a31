import { AgentError } from '@vidimus/core-types'
import type { Attribute, Handle, KeyPair, Template } from './cryptoki.js'
import type { Session } from './connection.js'
import { idOfPublicKey, KEY_TYPES, publicKeyHexOfPoint, type KeyTypeOnToken } from './key-types.js'
import { tokenReturnValue } from './refusals.js'

// PKCS #11 Version 3.1, section 4.
const CKA_CLASS = 0x000
const CKA_TOKEN = 0x001
const CKA_PRIVATE = 0x002
const CKA_LABEL = 0x003
const CKA_ID = 0x102
const CKA_SENSITIVE = 0x103
const CKA_SIGN = 0x108
const CKA_VERIFY = 0x10a
const CKA_EXTRACTABLE = 0x162
const CKA_EC_PARAMS = 0x180
const CKA_EC_POINT = 0x181
const CKO_PUBLIC_KEY = 2
const CKO_PRIVATE_KEY = 3

/** A key by its label and public half. */
export interface LabelledKey {
  label: string
  type: KeyTypeOnToken
  publicKeyHex: string
}

/** Of libraries that want the curve in another form. */
const OTHER_FORM = new Set([
  'CKR_ATTRIBUTE_VALUE_INVALID',
  'CKR_CURVE_NOT_SUPPORTED',
  'CKR_DOMAIN_PARAMS_INVALID',
  'CKR_GENERAL_ERROR',
])

const MOST_BYTES_OF_A_SIGNATURE = 128

/**
 * Creates a key pair whose private half never leaves the token.
 *
 * @param labelOf - the label of both halves, from the public key
 * @returns the public key in hex in Veramo's form
 * @throws the errors of the token; AgentError `unavailable` if its public key cannot be read
 */
export async function makeKeyPair(
  session: Session,
  type: KeyTypeOnToken,
  labelOf: (publicKeyHex: string) => string,
): Promise<string> {
  const { cryptoki, handle } = session
  const pair = await generated(session, type)
  const [point] = cryptoki.C_GetAttributeValue(handle, pair.publicKey, [{ type: CKA_EC_POINT }])
  const publicKeyHex = publicKeyHexOfPoint(type.type, point?.value ?? Buffer.alloc(0))
  if (publicKeyHex === undefined) {
    for (const half of [pair.privateKey, pair.publicKey]) cryptoki.C_DestroyObject(handle, half)
    throw new AgentError('unavailable', `the PKCS#11 token created a key that is not a ${type.type} key`)
  }
  const names: Template = [
    { type: CKA_ID, value: idOfPublicKey(publicKeyHex) },
    { type: CKA_LABEL, value: labelOf(publicKeyHex) },
  ]
  for (const half of [pair.privateKey, pair.publicKey]) cryptoki.C_SetAttributeValue(handle, half, names)
  return publicKeyHex
}

async function generated({ cryptoki, handle }: Session, type: KeyTypeOnToken): Promise<KeyPair> {
  const kept = { type: CKA_TOKEN, value: true }
  const privateHalf: Template = [
    kept,
    { type: CKA_PRIVATE, value: true },
    { type: CKA_SENSITIVE, value: true },
    { type: CKA_EXTRACTABLE, value: false },
    { type: CKA_SIGN, value: true },
  ]
  const [last] = type.parameters.slice(-1)
  for (const parameters of type.parameters) {
    const publicHalf = [kept, { type: CKA_VERIFY, value: true }, { type: CKA_EC_PARAMS, value: parameters }]
    try {
      return await cryptoki.C_GenerateKeyPairAsync(
        handle,
        { mechanism: type.generation },
        publicHalf,
        privateHalf,
      )
    } catch (error) {
      if (parameters === last || !OTHER_FORM.has(tokenReturnValue(error) ?? '')) throw error
    }
  }
  throw new Error('a key type has no parameters')
}

/** Handles of the private half, of which a token has at most one. */
export const findPrivateKey = (session: Session, publicKeyHex: string): Handle | undefined =>
  find(session, [{ type: CKA_CLASS, value: CKO_PRIVATE_KEY }, withPublicKey(publicKeyHex)])[0]

/** Deletes both halves of a key, or the one that is left of it. @returns whether it was there */
export function destroyKeyPair(session: Session, which: Attribute): boolean {
  const halves = [CKO_PRIVATE_KEY, CKO_PUBLIC_KEY].flatMap((half) =>
    find(session, [{ type: CKA_CLASS, value: half }, which]),
  )
  for (const half of halves) session.cryptoki.C_DestroyObject(session.handle, half)
  return halves.length > 0
}

export const labelled = (label: string): Attribute => ({ type: CKA_LABEL, value: label })

/** By its public half: a later key may have got its label. */
export const withPublicKey = (publicKeyHex: string): Attribute => ({
  type: CKA_ID,
  value: idOfPublicKey(publicKeyHex),
})

/** Signs with a private key. @returns 64 bytes: of Ed25519 as RFC 8032 has them, else r and s */
export function signature(
  { cryptoki, handle }: Session,
  type: KeyTypeOnToken,
  key: Handle,
  data: Uint8Array,
): Promise<Buffer> {
  cryptoki.C_SignInit(handle, { mechanism: type.signature }, key)
  return cryptoki.C_SignAsync(handle, type.toSign(data), Buffer.alloc(MOST_BYTES_OF_A_SIGNATURE))
}

/** The keys whose label begins with `prefix`. */
export const keysLabelled = (session: Session, prefix: string): LabelledKey[] =>
  find(session, [{ type: CKA_CLASS, value: CKO_PUBLIC_KEY }]).flatMap((key) => {
    const found = labelledKey(session, key)
    return found?.label.startsWith(prefix) ? [found] : []
  })

/** @returns `undefined` for a public key of a type that is not used here */
function labelledKey({ cryptoki, handle }: Session, key: Handle): LabelledKey | undefined {
  const wanted = [{ type: CKA_LABEL }, { type: CKA_EC_PARAMS }, { type: CKA_EC_POINT }]
  const [label, curve, point] = cryptoki.C_GetAttributeValue(handle, key, wanted).map(({ value }) => value)
  if (!label || !curve || !point) return undefined
  const type = KEY_TYPES.find(({ parameters }) => parameters.some((one) => one.equals(curve)))
  if (!type) return undefined
  const publicKeyHex = publicKeyHexOfPoint(type.type, point)
  return publicKeyHex === undefined ? undefined : { label: label.toString('utf8'), type, publicKeyHex }
}

function find({ cryptoki, handle }: Session, template: Template): Handle[] {
  cryptoki.C_FindObjectsInit(handle, template)
  try {
    const found: Handle[] = []
    for (;;) {
      const some = cryptoki.C_FindObjects(handle, 100)
      if (some.length === 0) return found
      found.push(...some)
    }
  } finally {
    cryptoki.C_FindObjectsFinal(handle)
  }
}
