import { BOUNDS } from '@vidimus/core-types'
import { readCertificate, type Certificate } from './certificate.js'
import { CertificateRefusal, refusedAs } from './refusal.js'

/** Certificates in the order in which each was issued by the next; at least one. */
export type Chain = readonly [leaf: Certificate, ...Certificate[]]

const PEM = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE-----/g
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Reads a chain as `x5c` has it (RFC 7515 section 4.1.6).
 *
 * @throws CertificateRefusal
 */
export function readChain(x5c: readonly string[]): Chain {
  if (x5c.length > BOUNDS.certificates) {
    throw new CertificateRefusal(`has ${x5c.length} certificates, more than ${BOUNDS.certificates}`)
  }
  const [leaf, ...others] = x5c.map((text, n) => {
    if (text.length > BOUNDS.certificateText || !BASE64.test(text)) {
      throw new CertificateRefusal(`[${n}] is not a base64 certificate`)
    }
    return nth(n, () => readCertificate(Buffer.from(text, 'base64')))
  })
  if (!leaf) throw new CertificateRefusal('has no certificate')
  return [leaf, ...others]
}

/** Names the certificate in the error message. */
const nth = <T>(n: number, work: () => T): T =>
  refusedAs((message) => new CertificateRefusal(`[${n}] ${message}`), work)

/** The certificates of a PEM text, in base64; any text between them is ignored. */
export const certificatesInPem = (text: string): string[] =>
  [...text.matchAll(PEM)].map(([, base64 = '']) => base64.replace(/\s/g, ''))

/** In the form of `x5c`. */
export const toX5c = (chain: readonly Certificate[]): string[] =>
  chain.map(({ der }) => der.toString('base64'))
