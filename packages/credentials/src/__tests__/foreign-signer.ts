import { sign, type KeyObject } from 'node:crypto'
import { bytesToBase58, bytesToMultibase } from 'did-jwt'
import type { DIDDocument, VerificationMethod } from 'did-resolver'
import { outsideKey } from '../../../../test/support/outside-key.js'
import { signingInputOf } from '@vidimus/verification-methods'
import { parseJwt } from '../jwt/jwt-form.js'
import type { SigningKeyType } from '@vidimus/verification-methods'
import type { TestDocuments } from './test-agent.js'

/** A key pair outside of the agent, with its public half in every encoding. */
export interface ForeignKey {
  type: SigningKeyType
  privateKey: KeyObject
  privateKeyHex: string
  jwk: { kty: string; crv: string; x: string; y?: string }
  /** Ed25519: 32 bytes; else the compressed point */
  bytes: Uint8Array
  /** the point in full, where it is one */
  uncompressed: Uint8Array
}

export function createForeignKey(type: SigningKeyType = 'Ed25519'): ForeignKey {
  const { privateKey, privateKeyHex, jwk } = outsideKey(type)
  const x = Buffer.from(jwk.x, 'base64url')
  const y = Buffer.from(jwk.y ?? '', 'base64url')
  return {
    type,
    privateKey,
    privateKeyHex,
    jwk,
    bytes: type === 'Ed25519' ? x : Buffer.concat([Buffer.from([2 + ((y.at(-1) ?? 0) & 1)]), x]),
    uncompressed: type === 'Ed25519' ? x : Buffer.concat([Buffer.from([4]), x, y]),
  }
}

const CODECS = { Ed25519: 'ed25519-pub', Secp256r1: 'p256-pub', Secp256k1: 'secp256k1-pub' } as const
const ALGORITHMS = { Ed25519: 'EdDSA', Secp256r1: 'ES256', Secp256k1: 'ES256K' } as const

/** Every way in which a verification method can hold the key. */
export function methodForms({ type, jwk, bytes, uncompressed }: ForeignKey): Partial<VerificationMethod>[] {
  const multibase = bytesToMultibase(bytes, 'base58btc', CODECS[type])
  const shared = [
    { type: 'JsonWebKey2020', publicKeyJwk: jwk },
    { type: 'JsonWebKey', publicKeyJwk: { ...jwk, use: 'sig', alg: ALGORITHMS[type] } },
    { type: 'Multikey', publicKeyMultibase: multibase },
  ]
  const hex = Buffer.from(bytes).toString('hex')
  if (type === 'Ed25519') {
    return [
      ...shared,
      { type: 'Ed25519VerificationKey2020', publicKeyMultibase: multibase },
      { type: 'Ed25519VerificationKey2020', publicKeyMultibase: bytesToMultibase(bytes) },
      { type: 'Ed25519VerificationKey2018', publicKeyBase58: bytesToBase58(bytes) },
      { type: 'Ed25519VerificationKey2018', publicKeyHex: hex },
      { type: 'Ed25519VerificationKey2018', publicKeyBase64: Buffer.from(bytes).toString('base64') },
    ]
  }
  const curveType =
    type === 'Secp256r1' ? 'EcdsaSecp256r1VerificationKey2019' : 'EcdsaSecp256k1VerificationKey2019'
  return [
    ...shared,
    { type: curveType, publicKeyHex: hex },
    { type: curveType, publicKeyHex: Buffer.from(uncompressed).toString('hex') },
    { type: curveType, publicKeyBase58: bytesToBase58(bytes) },
    { type: curveType, publicKeyMultibase: multibase },
    { type: curveType, publicKeyJwk: jwk },
  ]
}

/** A DID document whose method `#key-1` may do everything. */
export function documentOf(did: string, form: Partial<VerificationMethod>): DIDDocument {
  const id = `${did}#key-1`
  const method = { type: 'JsonWebKey2020', ...form, id, controller: did }
  return { id: did, verificationMethod: [method], assertionMethod: [id], authentication: [id] }
}

/** A party whose keys the agent does not hold: signs on request. */
export class ForeignSigner {
  readonly key: ForeignKey

  constructor(
    readonly did: string,
    documents: TestDocuments,
    type: SigningKeyType = 'Ed25519',
  ) {
    this.key = createForeignKey(type)
    documents.set(did, { document: documentOf(did, { type: 'JsonWebKey2020', publicKeyJwk: this.key.jwk }) })
  }

  get kid(): string {
    return `${this.did}#key-1`
  }

  sign(payload: Record<string, unknown>, header: Record<string, unknown> = {}): string {
    const whole = { alg: ALGORITHMS[this.key.type], typ: 'JWT', kid: this.kid, ...header }
    return signWith(this.key, signingInputOf(whole, payload))
  }

  /** The signature alone. */
  signature(signingInput: string): string {
    return signWith(this.key, signingInput).slice(signingInput.length + 1)
  }

  /** A credential as JWT; `claims` and `vc` replace the defaults. */
  credential(claims: Record<string, unknown> = {}, vc: Record<string, unknown> = {}): string {
    return this.sign({
      iss: this.did,
      nbf: 1_700_000_000,
      vc: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiableCredential'],
        credentialSubject: { name: 'Ada' },
        ...vc,
      },
      ...claims,
    })
  }

  presentation(
    credentials: unknown[],
    claims: Record<string, unknown> = {},
    vp: Record<string, unknown> = {},
  ): string {
    return this.sign({
      iss: this.did,
      nbf: 1_700_000_000,
      vp: {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        type: ['VerifiablePresentation'],
        verifiableCredential: credentials,
        ...vp,
      },
      ...claims,
    })
  }
}

/** Appends the signature of a key to what is to be signed. */
export function signWith({ type, privateKey }: ForeignKey, signingInput: string): string {
  const digest = type === 'Ed25519' ? null : 'sha256'
  const signature = sign(digest, Buffer.from(signingInput), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signingInput}.${signature.toString('base64url')}`
}

/** The payload of a JWT, unverified. */
export const claimsOf = (jwt: string): Record<string, unknown> => parseJwt(jwt).payload
