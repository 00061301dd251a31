import { RSA } from '@vidimus/verification-methods'
import type { Chain } from './certificate-chain.js'
import { isSelfIssued, nameBytes, type Certificate } from './certificate.js'
import { constraintProblem } from './name-constraints.js'
import { CertificateRefusal } from './refusal.js'

/** Signatures with SHA-2 or over Edwards curves, by their OIDs (RFC 5758, RFC 8410, RFC 4055). */
const STRONG_SIGNATURES = new Set([
  ...['1.2.840.10045.4.3.2', '1.2.840.10045.4.3.3', '1.2.840.10045.4.3.4'],
  ...['1.3.101.112', '1.3.101.113'],
  ...['1.2.840.113549.1.1.11', '1.2.840.113549.1.1.12', '1.2.840.113549.1.1.13'],
])

/** Certificates from a leaf to its trust anchor. */
export interface Path<Anchor extends Certificate> {
  anchor: Anchor
  /** earliest expiry among them */
  notAfter: Date
}

/**
 * Finds and verifies the path from the leaf of a chain to a trust anchor: signatures, validity, basic constraints, key
 * usage and names. The chain may include the anchor. Revocation of certificates is not checked.
 *
 * @throws CertificateRefusal
 * @see RFC 5280 section 6.1
 */
export function pathToAnchor<Anchor extends Certificate>(
  chain: Chain,
  anchors: readonly Anchor[],
  at: Date,
): Path<Anchor> {
  demandLinked(chain)
  if (anchors.length === 0)
    throw new CertificateRefusal('does not lead to a trust anchor: none is configured')
  const paths = pathsIn(chain, anchors)
  const problems = paths.map((path) => pathProblem(path, at))
  const found = paths.find((_, n) => problems[n] === undefined)
  const anchor = anchors.find(({ der }) => found?.at(-1)?.der.equals(der))
  if (found && anchor) {
    return { anchor, notAfter: new Date(Math.min(...found.map(({ notAfter }) => notAfter.getTime()))) }
  }
  throw new CertificateRefusal(problems[0] ?? 'does not lead to a trust anchor of this service')
}

/**
 * Verifies a chain by itself, regardless of trust anchors: its leaf is an end-entity certificate, and each certificate
 * was issued by the next.
 *
 * @throws CertificateRefusal
 */
export function demandLinked(chain: Chain): void {
  const [leaf] = chain
  if (isSelfIssued(leaf)) throw new CertificateRefusal('[0] is self-signed')
  if (leaf.isAuthority) throw new CertificateRefusal('[0] is a CA certificate')
  for (const [n, certificate] of chain.entries()) {
    const next = chain[n + 1]
    if (next && !isIssuedBy(certificate, next)) {
      throw new CertificateRefusal(`[${n}] was not issued by [${n + 1}]`)
    }
  }
}

const isIssuedBy = (certificate: Certificate, issuer: Certificate): boolean =>
  nameBytes(certificate.issuer).equals(nameBytes(issuer.subject)) && isSignedBy(certificate, issuer)

function isSignedBy({ x509 }: Certificate, issuer: Certificate): boolean {
  try {
    return x509.verify(issuer.x509.publicKey)
  } catch {
    // OpenSSL does not support the key, or the signature is of another kind.
    return false
  }
}

/** Shortest first: a party that trusts an authority does not need the authority's own issuers. */
function pathsIn(chain: Chain, anchors: readonly Certificate[]): Certificate[][] {
  return chain.flatMap((certificate, n) => {
    const upTo = chain.slice(0, n + 1)
    if (n > 0 && anchors.some(({ der }) => der.equals(certificate.der))) return [upTo]
    return anchors
      .filter((anchor) => isIssuedBy(certificate, anchor))
      .filter((anchor) => !anchor.der.equals(chain[n + 1]?.der ?? Buffer.alloc(0)))
      .map((anchor) => [...upTo, anchor])
  })
}

/**
 * Verifies whatever does not need an anchor.
 *
 * @throws CertificateRefusal
 */
export function demandSound(chain: Chain, at: Date): void {
  demandLinked(chain)
  const problem = pathProblem(chain, at, false)
  if (problem !== undefined) throw new CertificateRefusal(problem)
}

function pathProblem(path: readonly Certificate[], at: Date, isAnchored = true): string | undefined {
  for (const [n, certificate] of path.entries()) {
    const isAnchor = isAnchored && n === path.length - 1
    const problem =
      validityProblem(certificate, at) ??
      keyProblem(certificate) ??
      (isAnchor ? undefined : signatureProblem(certificate)) ??
      (n === 0 ? leafProblem(certificate) : authorityProblem(certificate, path.slice(0, n)))
    if (problem !== undefined)
      return isAnchor ? `leads to a trust anchor that ${problem}` : `[${n}] ${problem}`
  }
  return undefined
}

function validityProblem({ notBefore, notAfter }: Certificate, at: Date): string | undefined {
  if (at < notBefore) return `is not valid before ${notBefore.toISOString()}`
  return at > notAfter ? `expired at ${notAfter.toISOString()}` : undefined
}

function keyProblem({ x509, unknownCritical }: Certificate): string | undefined {
  const [unknown] = unknownCritical
  if (unknown !== undefined) return `has an unsupported critical extension: ${unknown}`
  const { modulusLength } = x509.publicKey.asymmetricKeyDetails ?? {}
  const isShort = modulusLength !== undefined && modulusLength < RSA.leastBits
  return isShort ? `has an RSA key of less than ${RSA.leastBits} bits` : undefined
}

const signatureProblem = ({ signatureAlgorithm }: Certificate): string | undefined =>
  STRONG_SIGNATURES.has(signatureAlgorithm)
    ? undefined
    : `is signed with an algorithm that is not accepted: ${signatureAlgorithm}`

const leafProblem = ({ usages }: Certificate): string | undefined =>
  !usages || usages.includes('digitalSignature')
    ? undefined
    : 'may not be used for signatures, by its key usage'

/** @param below - the certificates issued under it, directly or not */
function authorityProblem(
  { isAuthority, usages, pathLength, nameConstraints }: Certificate,
  below: readonly Certificate[],
): string | undefined {
  if (!isAuthority) return 'is not a CA certificate, by its basic constraints'
  if (usages && !usages.includes('keyCertSign')) {
    return 'may not sign certificates, by its key usage'
  }
  const intermediates = below.slice(1).filter((one) => !isSelfIssued(one)).length
  if (pathLength !== undefined && intermediates > pathLength) {
    return `allows ${pathLength} authorities below it, but ${intermediates} follow`
  }
  if (!nameConstraints) return undefined
  for (const [n, certificate] of below.entries()) {
    if (n > 0 && isSelfIssued(certificate)) continue
    const problem = constraintProblem(nameConstraints, certificate)
    if (problem !== undefined) return `does not allow [${n}], which ${problem}`
  }
  return undefined
}
