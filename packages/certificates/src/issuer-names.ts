import type { Certificate } from './certificate.js'

/**
 * Whether the subject of a certificate may call itself by an https address: one of its names is that very address, or its host.
 *
 * A wildcard names nobody in particular, and so no issuer.
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

/** The https address that a certificate names its subject by: the first among its URIs, or that of its first host. */
export function issuerNamedBy({ names }: Certificate): string | undefined {
  const uri = names.find(({ uniformResourceIdentifier: one }) => one !== undefined && httpsUrl(one))
  const host = names.find(
    ({ dNSName: one }) => one !== undefined && !one.includes('*') && httpsUrl(`https://${one}`),
  )
  return uri?.uniformResourceIdentifier ?? (host?.dNSName && `https://${host.dNSName.toLowerCase()}`)
}

/** @returns `undefined` for an address that nobody can be called by */
export function httpsUrl(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isPlain = url?.protocol === 'https:' && !url.username && !url.password && !url.hash
  return isPlain ? url : undefined
}
