import { isJsonObject } from '@vidimus/core-types'

const TIMEOUT_MS = 5000
const MOST_BYTES = 1024 * 1024

/**
 * Fetches a JSON object from an identity provider, within bounds of time and size and without following redirects,
 * which could lead anywhere.
 *
 * @throws whatever fails; no message contains what was received
 */
export async function fetchJson(url: string): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`the identity provider responded with ${response.status}`)
  }
  const value = parsed(await boundedText(response))
  if (!isJsonObject(value))
    throw new Error('the identity provider responded with something other than a JSON object')
  return value
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error('the response of the identity provider is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Error('the identity provider responded with something other than JSON')
  }
}
