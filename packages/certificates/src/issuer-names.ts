import type { Certificate } from './certificate.js'

/**
 * Whether a certificate allows its subject to use an https address: one of its names is that address, or, for an
 * address with neither port nor query, its host. The address must be in its canonical spelling, so that whoever
 * compares or shows it means the same host.
 *
 * A wildcard does not identify an issuer.
 *
 * @see draft-ietf-oauth-sd-jwt-vc, "Issuer Signature Mechanisms"
 */
export function namesIssuer({ names }: Certificate, issuer: string): boolean {
  const url = canonicalAddress(issuer)
  if (!url) return false
  const isOfHost = url.port === '' && url.search === ''
  return names.some(
    ({ uniformResourceIdentifier: uri, dNSName: host }) =>
      (uri !== undefined && withoutSlash(uri) === withoutSlash(issuer)) ||
      (isOfHost && host?.toLowerCase() === url.hostname),
  )
}

/** One slash may end a bare host. */
const withoutSlash = (address: string): string => address.replace(/^(https:\/\/[^/?]+)\/$/, '$1')

/** @returns `undefined` for an address in any other spelling than the canonical one, or that no certificate can name */
function canonicalAddress(address: string): URL | undefined {
  const url = httpsUrl(address)
  const isCanonical = url?.href.replace(/\/$/, '') === withoutSlash(address)
  return isCanonical && !address.includes('#') ? url : undefined
}

/** The https address of the subject: its first https URI, or else one made from its first host. */
export function issuerNamedBy({ names }: Certificate): string | undefined {
  const uri = names.find(({ uniformResourceIdentifier: one }) => one !== undefined && httpsUrl(one))
  const host = names.find(
    ({ dNSName: one }) => one !== undefined && !one.includes('*') && httpsUrl(`https://${one}`),
  )
  return uri?.uniformResourceIdentifier ?? (host?.dNSName && `https://${host.dNSName.toLowerCase()}`)
}

/** @returns `undefined` for an address that a certificate cannot name */
export function httpsUrl(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isPlain = url?.protocol === 'https:' && !url.username && !url.password && !url.hash
  return isPlain ? url : undefined
}
