import type { SubjectPublicKeyInfo } from '@peculiar/asn1-x509'
import type { PublicKeyInHex } from '@vidimus/core-types'
import { serializeDer } from './asn1.js'
import { publicKeyHexOf, publicKeyOfBytes, type SigningKeyType } from '@vidimus/verification-methods'

/** Public key algorithms, with the rest of their DER encoding (RFC 8410 section 3, RFC 5480 section 2.1.1, SEC 2). */
export const KEY_ALGORITHMS: Readonly<Record<SigningKeyType, { algorithm: string; curve: string }>> = {
  Ed25519: { algorithm: '1.3.101.112', curve: '' },
  Secp256r1: { algorithm: '1.2.840.10045.2.1', curve: '06082a8648ce3d030107' },
  Secp256k1: { algorithm: '1.2.840.10045.2.1', curve: '06052b8104000a' },
}

const P384 = '06052b81040022'

/** rsaEncryption (RFC 8017 appendix A.1) */
const RSA = '1.2.840.113549.1.1.1'

/**
 * The key of a certificate in the form of a KMS; of P-384 its point, of RSA the SubjectPublicKeyInfo in DER, with which
 * others sign.
 *
 * @returns `undefined` for other kinds
 */
export function keyOfSubject(info: SubjectPublicKeyInfo): PublicKeyInHex | undefined {
  const {
    algorithm: { algorithm, parameters },
    subjectPublicKey,
  } = info
  if (algorithm === RSA) return { type: 'RSA', publicKeyHex: serializeDer(info).toString('hex') }
  const curve = Buffer.from(parameters ?? new ArrayBuffer(0)).toString('hex')
  if (algorithm === KEY_ALGORITHMS.Secp256r1.algorithm && curve === P384)
    return { type: 'Secp384r1', publicKeyHex: Buffer.from(subjectPublicKey).toString('hex') }
  const [type] =
    Object.entries(KEY_ALGORITHMS).find(([, one]) => one.algorithm === algorithm && one.curve === curve) ?? []
  const key = type === undefined ? undefined : publicKeyOfBytes(type, new Uint8Array(subjectPublicKey))
  const publicKeyHex = key && publicKeyHexOf(key)
  return key && publicKeyHex !== undefined ? { type: key.type, publicKeyHex } : undefined
}
