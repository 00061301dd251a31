import { ECDH } from 'node:crypto'
import type { DIDDocument, VerificationMethod } from 'did-resolver'
import { decodeBase58 } from './base58.js'

/** Multicodec names as unsigned varints. */
const CODECS: Readonly<Record<string, string>> = {
  ed01: 'Ed25519',
  ec01: 'X25519',
  e701: 'Secp256k1',
  '8024': 'Secp256r1',
}

const CURVES: Readonly<Record<string, string>> = { Secp256k1: 'secp256k1', Secp256r1: 'prime256v1' }
const JWK_CURVES: Readonly<Record<string, string>> = {
  Ed25519: 'Ed25519',
  X25519: 'X25519',
  secp256k1: 'Secp256k1',
  'P-256': 'Secp256r1',
}

/** What the types of verification methods say about keys that are written without a codec of their own. */
const METHOD_TYPES: Readonly<Record<string, string>> = {
  Ed25519VerificationKey2018: 'Ed25519',
  Ed25519VerificationKey2020: 'Ed25519',
  X25519KeyAgreementKey2019: 'X25519',
  X25519KeyAgreementKey2020: 'X25519',
  EcdsaSecp256k1VerificationKey2019: 'Secp256k1',
}

/**
 * The public keys in a DID document, in its order and without repetition, in hex as a KMS of Veramo writes them
 * (Ed25519 and X25519 raw, Secp256k1 uncompressed, Secp256r1 compressed). Methods in another encoding are left out.
 */
export function publicKeysOfDocument(document: DIDDocument): string[] {
  const relationships = [
    document.authentication,
    document.assertionMethod,
    document.keyAgreement,
    document.capabilityInvocation,
    document.capabilityDelegation,
  ]
  const embedded = relationships
    .flatMap((entries) => entries ?? [])
    .filter((entry): entry is VerificationMethod => typeof entry !== 'string')
  const methods = [...(document.verificationMethod ?? []), ...embedded]
  return [...new Set(methods.map(publicKeyHex).filter((key) => key !== undefined))]
}

function publicKeyHex(method: VerificationMethod): string | undefined {
  const { publicKeyJwk, publicKeyMultibase, publicKeyBase58, publicKeyHex: hex } = method
  if (publicKeyMultibase) return ofMultibase(publicKeyMultibase, method.type)
  if (publicKeyJwk) return ofJwk(publicKeyJwk)
  const raw = publicKeyBase58 ? decodeBase58(publicKeyBase58) : hex ? Buffer.from(hex, 'hex') : undefined
  return raw && raw.length > 0 ? inKmsForm(raw, METHOD_TYPES[method.type] ?? 'Ed25519') : undefined
}

function ofMultibase(text: string, methodType: string): string | undefined {
  const bytes = text.startsWith('z') ? decodeBase58(text.slice(1)) : undefined
  if (!bytes || bytes.length < 3) return undefined
  const codec = CODECS[bytes.subarray(0, 2).toString('hex')]
  if (codec !== undefined) return inKmsForm(bytes.subarray(2), codec)
  return inKmsForm(bytes, METHOD_TYPES[methodType] ?? 'Ed25519')
}

function ofJwk({ crv, x, y }: { crv?: string; x?: string; y?: string }): string | undefined {
  const type = JWK_CURVES[crv ?? '']
  if (type === undefined || x === undefined) return undefined
  const point = y === undefined ? [] : [Buffer.from([4])]
  const parts = [x, ...(y === undefined ? [] : [y])].map((part) => Buffer.from(part, 'base64url'))
  return inKmsForm(Buffer.concat([...point, ...parts]), type)
}

function inKmsForm(bytes: Buffer, type: string): string | undefined {
  const curve = CURVES[type]
  if (curve === undefined) return bytes.toString('hex')
  try {
    const form = type === 'Secp256k1' ? 'uncompressed' : 'compressed'
    return ECDH.convertKey(bytes, curve, undefined, 'hex', form).toString()
  } catch {
    // Not a point of the curve: nothing that a private key could belong to.
    return undefined
  }
}
