import { isIP } from 'node:net'

const METHOD = 'did:web:'

/**
 * The address of the DID document of a did:web.
 *
 * @param did - as a whole
 * @returns `undefined` for what the method does not allow: IP addresses, path segments that lead elsewhere
 * @see did:web Method Specification, "Read (Resolve)"
 */
export function didWebUrl(did: string): URL | undefined {
  if (!did.startsWith(METHOD)) return undefined
  try {
    const [host = '', ...path] = did.slice(METHOD.length).split(':').map(decodeURIComponent)
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

/** The canonical spelling of the did:web whose DID document is at a URL; `undefined` if there is none. */
export function webDidAt(url: URL): string | undefined {
  const [, ...steps] = url.pathname.split('/')
  if (steps.pop() !== 'did.json' || steps.length === 0) return undefined
  const path = steps.length === 1 && steps[0] === '.well-known' ? [] : steps
  try {
    const did = METHOD + [url.host, ...path].map((part) => inDid(decodeURIComponent(part))).join(':')
    return didWebUrl(did) === undefined ? undefined : did
  } catch {
    // not percent-encoded text
    return undefined
  }
}

/** @see DID Core section 3.1: the characters of an identifier */
const inDid = (part: string): string =>
  part.replace(/[^A-Za-z0-9._-]/g, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  )

/** Whether the DID document of a did:web is under the public URL, which determines what is served there. */
export function isUnderPublicUrl(did: string, publicUrl: string): boolean {
  const place = didWebUrl(did)
  const { host, pathname } = new URL(`${publicUrl}/`)
  return place?.host === host && place.pathname.startsWith(pathname)
}
