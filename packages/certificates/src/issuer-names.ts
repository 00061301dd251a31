import type { Certificate } from './certificate.js'

/**
 * Whether a certificate allows its subject to use an https address: one of its names is that address or its host.
 *
 * A wildcard does not identify an issuer.
 *
 * @see draft-ietf-oauth-sd-jwt-vc, "Issuer Signature Mechanisms"
 */
export function namesIssuer({ names }: Certificate, issuer: string): boolean {
  const url = httpsUrl(issuer)
  if (!url) return false
  return names.some(
    ({ uniformResourceIdentifier: uri, dNSName: host }) =>
      uri === issuer || host?.toLowerCase() === url.hostname,
  )
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
