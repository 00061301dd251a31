import { createRequire } from 'node:module'
import type * as Csr from '@peculiar/asn1-csr'
import type { SIGNING_ALGORITHMS } from '@vidimus/core-types'
import { type PublicKeyInHex } from '@vidimus/core-types'
import { publicKeyOfBytes } from '@vidimus/verification-methods'
import type * as Asn1 from 'asn1js'
import { serializeDer, x509Schemas } from './asn1.js'
import { KEY_ALGORITHMS } from './key-of-subject.js'

const load = createRequire(import.meta.url)

/** OIDs of signatures, by the types of keys (RFC 8410 section 3, RFC 5758 section 3.2). */
const SIGNATURES: Readonly<Record<keyof typeof SIGNING_ALGORITHMS, string>> = {
  Ed25519: '1.3.101.112',
  Secp256r1: '1.2.840.10045.4.3.2',
  Secp256k1: '1.2.840.10045.4.3.2',
}

/** Signs like a KMS; returns 64 bytes. */
export type RawSigner = (data: Uint8Array) => Promise<Uint8Array>

/**
 * A certificate signing request for a key, signed by that key. It has no subject: the authority verifies and sets the
 * names.
 *
 * @returns PEM
 * @throws RangeError for a key that does not sign
 * @see RFC 2986
 */
export async function certificateRequest(key: PublicKeyInHex, sign: RawSigner): Promise<string> {
  const type = key.type as keyof typeof SIGNING_ALGORITHMS
  const { CertificationRequest, CertificationRequestInfo } = load('@peculiar/asn1-csr') as typeof Csr
  const { AlgorithmIdentifier, Name } = x509Schemas()
  const info = new CertificationRequestInfo({
    version: 0,
    subject: new Name(),
    subjectPKInfo: subjectKey(key),
  })
  const signature = await sign(serializeDer(info))
  const request = new CertificationRequest({
    certificationRequestInfo: info,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: SIGNATURES[type] }),
    signature: toArrayBuffer(type === 'Ed25519' ? signature : derSignature(signature)),
  })
  const lines =
    serializeDer(request)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE REQUEST-----', ...lines, '-----END CERTIFICATE REQUEST-----', ''].join('\n')
}

function subjectKey({ type, publicKeyHex }: PublicKeyInHex) {
  const key = publicKeyOfBytes(type, Buffer.from(publicKeyHex, 'hex'))
  if (!key || !Object.hasOwn(KEY_ALGORITHMS, key.type))
    throw new RangeError(`a key of type ${type} cannot sign`)
  const { algorithm, curve } = KEY_ALGORITHMS[key.type as keyof typeof KEY_ALGORITHMS]
  const { AlgorithmIdentifier, SubjectPublicKeyInfo } = x509Schemas()
  const { x, y } = key.jwk
  const bytes = [x, y ?? ''].map((text) => Buffer.from(text, 'base64url'))
  return new SubjectPublicKeyInfo({
    algorithm: new AlgorithmIdentifier({
      algorithm,
      ...(curve !== '' && { parameters: toArrayBuffer(Buffer.from(curve, 'hex')) }),
    }),
    subjectPublicKey: toArrayBuffer(Buffer.concat(y === undefined ? bytes : [Buffer.from([4]), ...bytes])),
  })
}

/** An ECDSA signature as X.509 has it: two numbers in DER (RFC 3279 section 2.2.3). */
function derSignature(signature: Uint8Array): Uint8Array {
  const { Integer, Sequence } = load('asn1js') as typeof Asn1
  const numbers = [signature.subarray(0, 32), signature.subarray(32)].map((half) =>
    Integer.fromBigInt(BigInt(`0x${Buffer.from(half).toString('hex')}`)),
  )
  return new Uint8Array(new Sequence({ value: numbers }).toBER())
}

const toArrayBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer
