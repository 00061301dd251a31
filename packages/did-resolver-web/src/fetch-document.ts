import { currentCaller, currentRequest, parseForeignJson, SharedQueue } from '@vidimus/core-types'
import { getFromHost, StrangersHosts } from '@vidimus/public-hosts'

export interface FetchLimits {
  timeoutMs: number
  maxBytes: number
  allowPrivateAddresses: boolean
  /** PEM; in place of the well-known ones */
  certificateAuthorities: string | undefined
}

const HEADERS = { accept: 'application/did+ld+json, application/did+json, application/json' }

/** So many names at a time, and so many for one account. */
const hosts = new StrangersHosts(new SharedQueue(64, 8))

/**
 * Gets a JSON document over HTTPS. Redirects are not followed.
 *
 * @throws Error with a sentence without addresses, for a host that is not there, too slow, too talkative or not public
 */
export async function fetchDocument(
  url: URL,
  { timeoutMs, maxBytes, allowPrivateAddresses, certificateAuthorities }: FetchLimits,
): Promise<unknown> {
  const { status, content } = await getFromHost(url, HEADERS, {
    timeoutMs,
    maxBytes,
    lookup: allowPrivateAddresses ? undefined : hosts.lookupFor(currentCaller()?.account.id),
    certificateAuthorities,
    gone: currentRequest()?.gone,
  })
  if (status !== 200) throw new Error(`its host answers ${status}`)
  return parse(content)
}

function parse(content: Buffer): unknown {
  try {
    return parseForeignJson(content.toString('utf8'))
  } catch (cause) {
    throw new Error('its document is not JSON, or nested too deep', { cause })
  }
}
