import type { DIDDocument, IKey } from '@veramo/core-types'

type VerificationMethod = NonNullable<DIDDocument['verificationMethod']>[number]

/** Multicodec prefixes of public keys, as unsigned varints in hex. */
const CODECS: Readonly<Record<string, string>> = {
  ed01: 'Ed25519',
  ec01: 'X25519',
  e701: 'Secp256k1',
  '8024': 'Secp256r1',
}

/** Whether a DID document names one of the keys as a verification method, in whatever encoding. */
export function namesOneOf(document: DIDDocument, keys: readonly Pick<IKey, 'publicKeyHex'>[]): boolean {
  const held = new Set(keys.map(({ publicKeyHex }) => compressed(publicKeyHex.toLowerCase())))
  const relationships = [document.authentication, document.assertionMethod, document.keyAgreement]
  const embedded = relationships
    .flatMap((entries) => entries ?? [])
    .filter((entry) => typeof entry !== 'string')
  return [...(document.verificationMethod ?? []), ...embedded].some((method) => {
    const publicKey = publicKeyOf(method)
    return publicKey !== undefined && held.has(compressed(publicKey.toLowerCase()))
  })
}

/** The public key in hex, points of a curve in any form. */
function publicKeyOf(method: VerificationMethod): string | undefined {
  const { publicKeyHex, publicKeyBase58, publicKeyMultibase, publicKeyJwk } = method
  if (publicKeyHex) return publicKeyHex
  if (publicKeyBase58) return base58Hex(publicKeyBase58)
  if (publicKeyMultibase) return multibaseKey(publicKeyMultibase)
  if (publicKeyJwk?.x && publicKeyJwk.y)
    return `04${base64urlHex(publicKeyJwk.x)}${base64urlHex(publicKeyJwk.y)}`
  return publicKeyJwk?.x ? base64urlHex(publicKeyJwk.x) : undefined
}

function multibaseKey(text: string): string | undefined {
  const bytes = text.startsWith('z') ? base58Hex(text.slice(1)) : undefined
  if (bytes === undefined) return undefined
  return bytes.slice(0, 4) in CODECS ? bytes.slice(4) : bytes
}

/** SEC 1, 2.3.3: an uncompressed point without its y coordinate, whose parity goes into the first byte. */
function compressed(publicKeyHex: string): string {
  if (publicKeyHex.length !== 130 || !publicKeyHex.startsWith('04')) return publicKeyHex
  const isOdd = Number.parseInt(publicKeyHex.slice(-1), 16) % 2 === 1
  return (isOdd ? '03' : '02') + publicKeyHex.slice(2, 66)
}

const base64urlHex = (text: string) => Buffer.from(text, 'base64url').toString('hex')

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function base58Hex(text: string): string | undefined {
  const digits = [...text].map((character) => BASE58.indexOf(character))
  if (digits.includes(-1)) return undefined
  const value = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n)
  const hex = value === 0n ? '' : value.toString(16)
  const zeros = digits.findIndex((digit) => digit !== 0)
  return '00'.repeat(zeros < 0 ? digits.length : zeros) + (hex.length % 2 ? `0${hex}` : hex)
}
