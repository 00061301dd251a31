import { BOUNDS, errorOfMalformed } from '@vidimus/core-types'
import { flawOfText } from '../input/malformed-body.js'

/** The DID URL of a request, or why it cannot be read. */
export type RequestedDidUrl = { didUrl: string; method: string } | MalformedDidUrl

/** `didUrl`: empty if it cannot be shown */
export interface MalformedDidUrl {
  problem: string
  error: 'invalidDid' | 'invalidDidUrl'
  didUrl: string
}

/** DID Core 3.2, for the parts around a DID; text with control characters is never a URL. */
const BEGINNING = /^did:([a-z0-9]+):[\x21-\x7e]/

/**
 * Reads the DID URL from the path after `/1.0/identifiers/`: as it is, with `#` as `%23`, or percent-encoded as a whole
 * (DID Resolution, HTTPS binding).
 *
 * @param target - path and query as sent
 */
export function requestedDidUrl(target: string): RequestedDidUrl {
  const malformed = (problem: string, didUrl = ''): MalformedDidUrl => ({
    problem,
    // Escaped delimiters after a DID are escapes of HTTP.
    error: errorOfMalformed(target.replace(/%3a/gi, ':').replace(/%(?:2f|3f|23)/gi, '/')),
    didUrl,
  })
  if (target.length > BOUNDS.didUrl) return malformed(`it has more than ${BOUNDS.didUrl} characters`)
  const start = target.indexOf('?')
  const sent = start === -1 ? target : target.slice(0, start)
  const query = start === -1 ? undefined : target.slice(start)
  const path = decodedPath(sent)
  if (path === undefined) return malformed('it is not percent-encoded UTF-8')
  const flaw = flawOfText(path)
  if (flaw !== undefined) return malformed(`it ${flaw}`)
  const method = BEGINNING.exec(path)?.[1]
  if (method === undefined) return malformed('it does not begin with a DID', path)
  if (query !== undefined && /[?#]/.test(path)) {
    return malformed('it has a query both inside and after it, or after its fragment', path)
  }
  return { didUrl: path + (query ?? ''), method }
}

/**
 * An unencoded DID keeps its own escapes, such as that of a did:web port; only characters that would end the path are
 * HTTP escapes. DIDs of cheqd have no escapes.
 */
function decodedPath(sent: string): string | undefined {
  if (sent.startsWith('did:') && !sent.startsWith('did:cheqd:')) {
    return sent.replace(/%23/g, '#').replace(/%3f/gi, '?').replace(/%2f/gi, '/')
  }
  try {
    return decodeURIComponent(sent)
  } catch {
    return undefined
  }
}
