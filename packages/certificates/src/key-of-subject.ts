import type { SubjectPublicKeyInfo } from '@peculiar/asn1-x509'
import type { PublicKeyInHex } from '@vidimus/core-types'
import { publicKeyHexOf, publicKeyOfBytes, type SigningKeyType } from '@vidimus/verification-methods'

/** Public key algorithms, with the rest of their DER encoding (RFC 8410 section 3, RFC 5480 section 2.1.1, SEC 2). */
export const KEY_ALGORITHMS: Readonly<Record<SigningKeyType, { algorithm: string; curve: string }>> = {
  Ed25519: { algorithm: '1.3.101.112', curve: '' },
  Secp256r1: { algorithm: '1.2.840.10045.2.1', curve: '06082a8648ce3d030107' },
  Secp256k1: { algorithm: '1.2.840.10045.2.1', curve: '06052b8104000a' },
}

/** The key of a certificate in the form of a KMS; `undefined` for a kind that cannot sign here. */
export function keyOfSubject({
  algorithm: { algorithm, parameters },
  subjectPublicKey,
}: SubjectPublicKeyInfo): PublicKeyInHex | undefined {
  const curve = Buffer.from(parameters ?? new ArrayBuffer(0)).toString('hex')
  const [type] =
    Object.entries(KEY_ALGORITHMS).find(([, one]) => one.algorithm === algorithm && one.curve === curve) ?? []
  const key = type === undefined ? undefined : publicKeyOfBytes(type, new Uint8Array(subjectPublicKey))
  const publicKeyHex = key && publicKeyHexOf(key)
  return key && publicKeyHex !== undefined ? { type: key.type, publicKeyHex } : undefined
}
