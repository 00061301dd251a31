import { currentCaller, currentRequest, parseForeignJson, SharedQueue } from '@vidimus/core-types'
import { getFromHost, NOT_REACHED, StrangersHosts } from '@vidimus/public-hosts'

export interface FetchLimits {
  timeoutMs: number
  maxBytes: number
  allowPrivateAddresses: boolean
  /** PEM; in place of the well-known ones */
  certificateAuthorities?: string | undefined
}

const DOCUMENT = 'application/did+ld+json, application/did+json, application/json'

/** So many names at a time, and so many for one account. */
const hosts = new StrangersHosts(new SharedQueue(64, 8))

/**
 * Gets a JSON document over HTTPS. Redirects are not followed.
 *
 * @throws Error with a sentence without addresses, for a host that is not there, too slow, too talkative or not public
 */
export async function fetchDocument(url: URL, limits: FetchLimits): Promise<unknown> {
  const content = await fetchContent(url, DOCUMENT, limits)
  try {
    return parseForeignJson(content.toString('utf8'))
  } catch (cause) {
    throw new Error('its document is not JSON, or is nested too deeply', { cause })
  }
}

/**
 * Fetches what a DID names on the web, as {@link fetchDocument} does.
 *
 * @param accept - media types
 * @throws Error as there; {@link NotThere} if the host responds with 404 or 410
 */
export async function fetchContent(
  url: URL,
  accept: string,
  { timeoutMs, maxBytes, allowPrivateAddresses, certificateAuthorities }: FetchLimits,
): Promise<Buffer> {
  const { status, content } = await getFromHost(
    url,
    { accept },
    {
      timeoutMs,
      maxBytes,
      lookup: allowPrivateAddresses ? undefined : hosts.lookupFor(currentCaller()?.account.id),
      certificateAuthorities,
      gone: currentRequest()?.gone,
    },
  )
  if (status === 404 || status === 410) throw new NotThere(`its host responded with ${status}`)
  if (status !== 200) throw new Error(`its host responded with ${status}`)
  return content
}

/** The host can be asked, and does not have it. */
export class NotThere extends Error {}

/** The failures shown to a caller: our own messages, as those of the system contain addresses. */
export const sentenceAbout = (error: unknown): string =>
  error instanceof Error && error.message.startsWith('its ') ? error.message : NOT_REACHED
