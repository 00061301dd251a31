import { BOUNDS, errorOfMalformed } from '@vidimus/core-types'
import { flawOfText } from '../input/malformed-body.js'

/** What a client asks to resolve, or why that cannot be told. */
export type RequestedDidUrl = { didUrl: string; method: string } | MalformedDidUrl

/** `didUrl`: empty where it cannot be shown */
export interface MalformedDidUrl {
  problem: string
  error: 'invalidDid' | 'invalidDidUrl'
  didUrl: string
}

/** DID Core 3.2, as far as it concerns what is around a DID; text with control characters is no URL at all. */
const BEGINNING = /^did:([a-z0-9]+):[\x21-\x7e]/

/**
 * Reads the DID URL from what follows `/1.0/identifiers/`: as it stands, with `#` as `%23`, or percent-encoded as a
 * whole (DID Resolution, HTTPS binding).
 *
 * @param target - path and query as they were sent
 */
export function requestedDidUrl(target: string): RequestedDidUrl {
  const malformed = (problem: string, didUrl = ''): MalformedDidUrl => ({
    problem,
    // Escapes of what ends a DID are escapes of HTTP.
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
 * A DID that is sent as it stands keeps its own escapes, such as that of the port of a did:web; only what would end the
 * path is an escape of HTTP. DIDs of cheqd have none of their own.
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
