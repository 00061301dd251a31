import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { currentCaller, currentRequest, parseForeignJson, SharedQueue } from '@vidimus/core-types'
import { StrangersHosts } from '@vidimus/public-hosts'

export interface FetchLimits {
  timeoutMs: number
  maxBytes: number
  allowPrivateAddresses: boolean
  /** PEM; in place of the well-known ones */
  certificateAuthorities: string | undefined
}

/** So many names at a time, and so many for one account. */
const hosts = new StrangersHosts(new SharedQueue(64, 8))

/**
 * Gets a JSON document over HTTPS. Redirects are not followed.
 *
 * @throws Error with a sentence without addresses, for a host that is not there, too slow, too talkative or not public
 */
export async function fetchDocument(url: URL, limits: FetchLimits): Promise<unknown> {
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const gone = currentRequest()?.gone
  const signal = gone ? AbortSignal.any([timeout, gone]) : timeout
  const response = await answerOf(url, limits, signal)
  try {
    if (response.statusCode !== 200) throw new Error(`its host answers ${response.statusCode}`)
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > limits.maxBytes) throw new Error(`its document has more than ${limits.maxBytes} bytes`)
      chunks.push(chunk)
    }
    return parse(Buffer.concat(chunks))
  } catch (error) {
    throw signal.aborted ? tooSlow(limits, error) : error
  } finally {
    response.destroy()
  }
}

function answerOf(url: URL, limits: FetchLimits, signal: AbortSignal): Promise<IncomingMessage> {
  const { allowPrivateAddresses, certificateAuthorities: ca } = limits
  return new Promise((resolve, reject) => {
    const request = get(
      url,
      {
        signal,
        // No connection is kept: the next one is looked up and checked anew.
        agent: false,
        headers: { accept: 'application/did+ld+json, application/did+json, application/json' },
        ...(!allowPrivateAddresses && { lookup: hosts.lookupFor(currentCaller()?.account.id) }),
        ...(ca !== undefined && { ca }),
      },
      resolve,
    )
    request.on('error', (error) => reject(signal.aborted ? tooSlow(limits, error) : error))
  })
}

function parse(content: Buffer): unknown {
  try {
    return parseForeignJson(content.toString('utf8'))
  } catch (cause) {
    throw new Error('its document is not JSON, or nested too deep', { cause })
  }
}

const tooSlow = ({ timeoutMs }: FetchLimits, cause: unknown) =>
  new Error(`its host did not answer within ${timeoutMs} ms`, { cause })
