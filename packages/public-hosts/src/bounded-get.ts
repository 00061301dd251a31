import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { demandPublicHost, NOT_REACHED } from './public-addresses.js'
import type { HostLookup } from './strangers-hosts.js'

const ANY = '*/*'

/** How far a host is trusted that a caller names. */
export interface GetLimits {
  /** for the whole of it, redirects included */
  timeoutMs: number
  /** of the response, both as it is sent and after its content coding is undone */
  maxBytes: number
  /** that are followed; default: none */
  redirects?: number
  /** looks hosts up; absent: any address is allowed, including internal ones */
  lookup?: HostLookup | undefined
  /** PEM; in place of the well-known ones */
  certificateAuthorities?: string | undefined
  /** aborts when nobody waits for it any more */
  gone?: AbortSignal | undefined
}

export interface HostAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** empty unless the status is 200 */
  content: Buffer
}

/**
 * Fetches something over https. Every host on the way is looked up for the connection that is opened to it, and no
 * connection is kept. A host that refuses every type in `accept` is asked once more without it: what the body is decides.
 *
 * @param headers - beside those for the negotiation of types and codings
 * @throws Error with a sentence without addresses that begins with "its host", if it does not exist, is too slow, too
 *   large or not public
 */
export async function getFromHost(
  url: URL,
  { accept, ...others }: Readonly<Record<string, string>>,
  limits: GetLimits,
): Promise<HostAnswer> {
  const headers = { ...others, 'accept-encoding': 'identity' }
  const preferred = accept === undefined ? ANY : `${accept}, ${ANY};q=0.1`
  const timeout = AbortSignal.timeout(limits.timeoutMs)
  const signal = limits.gone ? AbortSignal.any([timeout, limits.gone]) : timeout
  try {
    const answer = await following(url, { ...headers, accept: preferred }, limits, signal)
    if (answer.status !== 406 || preferred === ANY) return answer
    return await following(url, { ...headers, accept: ANY }, limits, signal)
  } catch (error) {
    if (signal.aborted) throw sentence(`its host did not respond within ${limits.timeoutMs} ms`, error)
    throw isSentence(error) ? error : sentence(NOT_REACHED, error)
  }
}

async function following(
  url: URL,
  headers: Readonly<Record<string, string>>,
  limits: GetLimits,
  signal: AbortSignal,
): Promise<HostAnswer> {
  const { redirects = 0 } = limits
  let place = url
  for (let followed = 0; ; followed++) {
    const answer = await getOnce(place, headers, limits, signal)
    const { location } = answer.headers
    if (redirects === 0 || !isRedirect(answer.status) || location === undefined) return answer
    if (followed === redirects) throw sentence(`its host redirects more than ${redirects} times`)
    place = nextPlace(location, place)
  }
}

function nextPlace(location: string, from: URL): URL {
  const next = URL.canParse(location, from.href) ? new URL(location, from) : undefined
  if (next?.protocol === 'https:' && next.username === '' && next.password === '') return next
  throw sentence('its host redirects to an address that is not https')
}

async function getOnce(
  url: URL,
  headers: Readonly<Record<string, string>>,
  limits: GetLimits,
  signal: AbortSignal,
): Promise<HostAnswer> {
  if (limits.lookup) demandPublicHost(url)
  const response = await sendRequest(url, headers, limits, signal)
  try {
    const { statusCode: status = 0 } = response
    const content = status === 200 ? await readContent(response, limits.maxBytes) : Buffer.alloc(0)
    return { status, headers: response.headers, content }
  } finally {
    response.destroy()
  }
}

function sendRequest(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { lookup, certificateAuthorities: ca }: GetLimits,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const connection = { agent: false, ...(lookup && { lookup }), ...(ca !== undefined && { ca }) }
    get(url, { signal, headers, ...connection }, resolve).on('error', reject)
  })
}

async function readContent(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLong(maxBytes)
    chunks.push(chunk)
  }
  return decoded(Buffer.concat(chunks), response.headers['content-encoding'], maxBytes)
}

/** Hosts that store compressed files send them as such, whoever asks. */
async function decoded(content: Buffer, encoding = 'identity', maxOutputLength: number): Promise<Buffer> {
  const coding = encoding.trim().toLowerCase().replace(/^x-/, '')
  if (coding === 'identity') return content
  const decode = coding === 'deflate' ? inflateAny(content) : DECODERS[coding]
  if (!decode) throw sentence(`its host responded in the encoding "${encoding.slice(0, 40)}"`)
  try {
    return await decode(content, { maxOutputLength })
  } catch (cause) {
    const isBound = cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'
    throw isBound ? tooLong(maxOutputLength) : sentence(`its host responded with damaged ${coding}`, cause)
  }
}

type Decoder = (content: Buffer, limit: { maxOutputLength: number }) => Promise<Buffer>

const INFLATE: Decoder = promisify(inflate)
const INFLATE_RAW: Decoder = promisify(inflateRaw)
const DECODERS: Partial<Record<string, Decoder>> = {
  gzip: promisify(gunzip),
  br: promisify(brotliDecompress),
}

/** Zlib as RFC 9110 8.4.1.2 has it, or without its frame, as many hosts send it. */
const inflateAny = (content: Buffer): Decoder =>
  content.length > 1 && (Number(content[0]) & 0x0f) === 8 && content.readUInt16BE(0) % 31 === 0
    ? INFLATE
    : INFLATE_RAW

const tooLong = (maxBytes: number): Error => sentence(`its host responded with more than ${maxBytes} bytes`)

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

const sentence = (message: string, cause?: unknown): Error => new Error(message, { cause })

const isSentence = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith('its host')
