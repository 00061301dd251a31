import { canonicalIssuer } from '@vidimus/verification-methods'
import type { Certificate } from './certificate.js'
import { CertificateRefusal } from './refusal.js'

/**
 * Whether a certificate allows its subject to use an https address: one of its names is that address, or, for an
 * address with neither port nor query, its host. The address must be in its canonical spelling.
 *
 * A wildcard does not identify an issuer.
 *
 * @see draft-ietf-oauth-sd-jwt-vc, "Issuer Signature Mechanisms"
 */
export function namesIssuer({ names }: Certificate, issuer: string): boolean {
  const canonical = canonicalIssuer(issuer)
  if (canonical === undefined) return false
  const url = new URL(canonical)
  const isOfHost = url.port === '' && url.search === ''
  return names.some(
    ({ uniformResourceIdentifier: uri, dNSName: host }) =>
      (uri !== undefined && canonicalIssuer(uri) === canonical) ||
      (isOfHost && host?.toLowerCase() === url.hostname),
  )
}

/** The https address of the subject: its first https URI, or else one made from its first host. */
export function issuerNamedBy({ names }: Certificate): string | undefined {
  const uris = names.map(({ uniformResourceIdentifier: uri = '' }) => canonicalIssuer(uri))
  const hosts = names.map(({ dNSName: host }) =>
    host === undefined || host.includes('*') ? undefined : canonicalIssuer(`https://${host.toLowerCase()}`),
  )
  return [...uris, ...hosts].find((name) => name !== undefined)
}

/**
 * Refuses URI names in any other spelling than the canonical one: no verifier would find the issuer that they mean.
 *
 * @throws CertificateRefusal
 */
export function demandCanonicalNames({ names }: Certificate): void {
  for (const { uniformResourceIdentifier: uri = '' } of names) {
    const url = URL.canParse(uri) ? new URL(uri) : undefined
    if (url?.protocol !== 'https:' || canonicalIssuer(uri) !== undefined) continue
    const canonical = `${url.origin}${url.pathname.replace(/\/$/, '')}${url.search}`
    throw new CertificateRefusal(
      `[0] names "${uri}", which is not the canonical spelling of an issuer, such as "${canonical}"`,
    )
  }
}
