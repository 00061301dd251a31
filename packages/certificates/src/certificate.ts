import { X509Certificate } from 'node:crypto'
import type { GeneralName, Name, NameConstraints, TBSCertificate } from '@peculiar/asn1-x509'
import type { PublicKeyInHex } from '@vidimus/core-types'
import { parseDer, serializeDer, x509Schemas } from './asn1.js'
import { keyOfSubject } from './key-of-subject.js'
import { CertificateRefusal } from './refusal.js'

/** A parsed, unverified certificate. */
export interface Certificate {
  der: Buffer
  /** OpenSSL's view of it, for its key and its signature */
  x509: X509Certificate
  /** in the terms of a KMS; absent if this service cannot sign with such keys */
  publicKey?: PublicKeyInHex
  subject: Name
  issuer: Name
  notBefore: Date
  notAfter: Date
  /** the names of its subject besides the distinguished name */
  names: readonly GeneralName[]
  isAuthority: boolean
  /** number of CA certificates allowed below it; absent: unlimited */
  pathLength?: number
  /** absent: any use */
  usages?: readonly KeyUse[]
  /** absent: any use */
  extendedUsages?: readonly string[]
  nameConstraints?: NameConstraints
  /** OID of its signature algorithm */
  signatureAlgorithm: string
  /** OIDs of unsupported critical extensions */
  unknownCritical: readonly string[]
}

/** The key usages that matter here. */
export type KeyUse = 'digitalSignature' | 'keyCertSign'

/**
 * Parses a certificate in DER.
 *
 * @throws CertificateRefusal if it is not a certificate
 * @see RFC 5280 section 4
 */
export function readCertificate(der: Uint8Array): Certificate {
  const bytes = Buffer.from(der)
  try {
    const x509 = new X509Certificate(bytes)
    const { tbsCertificate, signatureAlgorithm } = parseDer(bytes, x509Schemas().Certificate)
    // Both parsers must have read the same bytes, without trailing data.
    if (!x509.raw.equals(bytes)) throw new Error('it has data after its end')
    // OpenSSL parses keys lazily and does not support all of them.
    if (x509.publicKey.type !== 'public') throw new Error('it has no public key')
    return {
      der: bytes,
      x509,
      ...certificateParts(tbsCertificate),
      signatureAlgorithm: signatureAlgorithm.algorithm,
    }
  } catch (cause) {
    throw new CertificateRefusal('is not an X.509 certificate in DER', { cause })
  }
}

function certificateParts(tbs: TBSCertificate): Omit<Certificate, 'der' | 'x509' | 'signatureAlgorithm'> {
  const schemas = x509Schemas()
  const extensions = [...(tbs.extensions ?? [])]
  const ids = extensions.map(({ extnID }) => extnID)
  if (new Set(ids).size < ids.length) throw new Error('it repeats an extension')
  const find = <T>(id: string, type: new () => T): T | undefined => {
    const found = extensions.find(({ extnID }) => extnID === id)
    return found && parseDer(found.extnValue, type)
  }
  const basic = find(schemas.id_ce_basicConstraints, schemas.BasicConstraints)
  const usage = find(schemas.id_ce_keyUsage, schemas.KeyUsage)
  const extended = find(schemas.id_ce_extKeyUsage, schemas.ExtendedKeyUsage)
  const nameConstraints = find(schemas.id_ce_nameConstraints, schemas.NameConstraints)
  const { pathLenConstraint } = basic ?? {}
  const publicKey = keyOfSubject(tbs.subjectPublicKeyInfo)
  return {
    ...(publicKey && { publicKey }),
    subject: tbs.subject,
    issuer: tbs.issuer,
    notBefore: tbs.validity.notBefore.getTime(),
    notAfter: tbs.validity.notAfter.getTime(),
    names: [...(find(schemas.id_ce_subjectAltName, schemas.SubjectAlternativeName) ?? [])],
    isAuthority: basic?.cA === true,
    ...(pathLenConstraint !== undefined && { pathLength: pathLenConstraint }),
    ...(usage && { usages: usagesIn(usage.toJSON()) }),
    ...(extended && { extendedUsages: [...extended] }),
    ...(nameConstraints && { nameConstraints }),
    unknownCritical: extensions
      .filter(({ critical, extnID }) => critical && !understood().includes(extnID))
      .map(({ extnID }) => extnID),
  }
}

const usagesIn = (all: readonly string[]): KeyUse[] =>
  (['digitalSignature', 'keyCertSign'] as const).filter((use) => all.includes(use))

/** Extensions that are checked, or that have no effect without a required policy. */
function understood(): string[] {
  const ids = x509Schemas()
  return [
    ids.id_ce_authorityKeyIdentifier,
    ids.id_ce_basicConstraints,
    ids.id_ce_certificatePolicies,
    ids.id_ce_extKeyUsage,
    ids.id_ce_keyUsage,
    ids.id_ce_nameConstraints,
    ids.id_ce_subjectAltName,
    ids.id_ce_subjectKeyIdentifier,
  ]
}

/** Names in DER, so that they can be compared. */
export const nameBytes = (name: Name): Buffer => serializeDer(name)

export const isSelfIssued = ({ subject, issuer }: Certificate): boolean =>
  nameBytes(subject).equals(nameBytes(issuer))

const SHORT_NAMES: Partial<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
}

/** The subject as text: the most specific part first. @see RFC 4514 section 2 */
export const subjectText = ({ subject }: Pick<Certificate, 'subject'>): string =>
  [...subject]
    .reverse()
    .map((parts) =>
      [...parts].map(({ type, value }) => {
        const hex = () => `#${serializeDer(value).toString('hex')}`
        return SHORT_NAMES[type] ? `${SHORT_NAMES[type]}=${escaped(value.toString())}` : `${type}=${hex()}`
      }),
    )
    .map((parts) => parts.join('+'))
    .join(',')

const escaped = (text: string): string =>
  text
    .replace(/[\\",+;<>]/g, '\\$&')
    .replace(/^[ #]|(?<=.) $/g, '\\$&')
    .replaceAll('\0', '\\00')
