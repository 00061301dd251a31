import { isIP } from 'node:net'

/**
 * Where the DID document of a did:web lies.
 *
 * @param id - the method-specific identifier
 * @returns `undefined` for what the method does not allow: IP addresses, path segments that lead elsewhere
 * @see did:web Method Specification, "Read (Resolve)"
 */
export function didWebUrl(id: string): URL | undefined {
  try {
    const [host = '', ...path] = id.split(':').map(decodeURIComponent)
    if (!/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/i.test(host)) return undefined
    if (path.some((segment) => !/^[\w.~!$&'()*+,;=@-]+$/.test(segment) || /^\.+$/.test(segment)))
      return undefined
    const file =
      path.length > 0 ? `${path.map(encodeURIComponent).join('/')}/did.json` : '.well-known/did.json'
    const url = new URL(`https://${host}/${file}`)
    return isIP(url.hostname) ? undefined : url
  } catch {
    // not percent-encoded text, or no port
    return undefined
  }
}
