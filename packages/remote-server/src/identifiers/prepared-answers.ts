import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import { Cache, ownMemory } from '@vidimus/core-types'
import { namesEntityTag } from '../answers/entity-tag.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'
import type { PublicAnswer } from './public-answer.js'
import type { PublicHeaders } from './public-headers.js'

const gzip = promisify(gzipWithCallback)

/** Smaller bodies are sent uncompressed: there is nothing to gain. */
export const LEAST_COMPRESSED = 1024
/** Maximum compressed size, as a fraction, for which decompression is worthwhile. */
const WORTH = 0.9

/** Whether compression saves enough. */
export const isWorthIt = (compressed: Uint8Array, body: Uint8Array): boolean =>
  compressed.length <= body.length * WORTH

/** Longer `accept` headers are unusual, and their responses are not cached. */
const LONGEST_ACCEPT = 256

/** A response in all forms in which it is sent. */
interface Prepared {
  /** the source object; another object invalidates the entry */
  of: object
  answer: PublicAnswer
  second: number
  /** set on demand; `null`: not worthwhile */
  compressed?: Uint8Array | null
}

/**
 * Caches responses with their bytes, headers and entity tags until their source changes. Callers pass the same source
 * object as long as nothing has changed.
 */
export class PreparedAnswers {
  private readonly prepared = new Cache<Prepared>('answer', { sizeOf: preparedBytes })

  constructor(private readonly headers: PublicHeaders) {}

  /** @returns whether there was one, and it was sent */
  send(req: ServedRequest, res: ServedResponse, didUrl: string, of: object): boolean {
    const key = preparedKey(req, didUrl)
    const found = key === undefined ? undefined : this.prepared.get(key)
    if (key === undefined || found?.of !== of) return false
    if (found.answer.timed && found.second !== wholeSecond(new Date())) return false
    this.sendForm(req, res, key, found)
    return true
  }

  /** Sends a response, and caches it for equal requests. @param of - absent: it is not cached */
  sendNew(req: ServedRequest, res: ServedResponse, didUrl: string, answer: PublicAnswer, of?: object): void {
    const key = of && answer.body ? preparedKey(req, didUrl) : undefined
    if (key === undefined || !of) {
      this.write(req, res, answer)
      return
    }
    const { body = Buffer.alloc(0) } = answer
    const own = { ...answer, body: ownMemory(body) }
    this.prepared.set(key, { of, answer: own, second: wholeSecond(new Date()) })
    this.write(req, res, own)
  }

  private sendForm(req: ServedRequest, res: ServedResponse, key: string, found: Prepared): void {
    const { answer, compressed } = found
    const isWanted = answer.body && answer.body.length >= LEAST_COMPRESSED && takesGzip(req)
    const hasPlain = namesEntityTag(req.headers['if-none-match'], answer.headers.etag ?? '')
    if (isWanted && compressed && !hasPlain) this.write(req, res, compressedForm(answer, compressed))
    else {
      this.write(req, res, answer)
      if (isWanted && compressed === undefined && !answer.timed) void this.compress(key, found)
    }
  }

  /** Runs in the background on the second request: a list that changes constantly is never compressed. */
  private async compress(key: string, found: Prepared): Promise<void> {
    found.compressed = null
    const { body = Buffer.alloc(0) } = found.answer
    const bytes = await gzip(body).catch(() => undefined)
    if (!bytes || !isWorthIt(bytes, body) || this.prepared.peek(key) !== found) return
    this.prepared.set(key, { ...found, compressed: ownMemory(bytes) })
  }

  /** Not `res.send`, which would rely on If-Modified-Since, though several versions may be created within a second. */
  private write(req: ServedRequest, res: ServedResponse, answer: PublicAnswer): void {
    const { status, headers, body } = answer
    // RFC 9110 13.2.1: only a success may be "not modified", or clients would keep using an old copy.
    const known = status === 200 ? knownTag(req, headers.etag) : undefined
    const isKnown = known !== undefined
    const sent = isKnown ? { ...withoutType(headers), etag: known } : headers
    const flat = Object.entries(sent).flat()
    if (answer.cacheControl) flat.push('cache-control', answer.cacheControl(new Date()))
    if (isKnown || !body) {
      this.headers.write(res, isKnown ? 304 : status, flat)
      res.end()
      return
    }
    // HEAD gets the same headers; Node.js omits the body.
    flat.push('content-length', String(body.length))
    this.headers.write(res, status, flat)
    res.end(body)
  }
}

const wholeSecond = (time: Date): number => Math.floor(time.getTime() / 1000)

function preparedKey({ headers: { accept = '' } }: ServedRequest, didUrl: string): string | undefined {
  return accept.length > LONGEST_ACCEPT ? undefined : `${didUrl}\n${accept}`
}

const takesGzip = ({ headers }: ServedRequest): boolean =>
  /(?:^|,)\s*gzip\s*(?:;\s*q=(?:1|0\.\d*[1-9])[^,]*)?(?=,|$)/i.test(String(headers['accept-encoding'] ?? ''))

const compressedTag = (etag: string): string => etag.replace(/"$/, '-gzip"')

/** The tag of the client's copy in any of its forms: the content is the same. */
function knownTag(req: ServedRequest, etag: string | undefined): string | undefined {
  if (etag === undefined) return undefined
  const tags = takesGzip(req) ? [etag, compressedTag(etag)] : [etag]
  return tags.find((tag) => namesEntityTag(req.headers['if-none-match'], tag))
}

/** The same content in other bytes, which needs a different strong entity tag (RFC 9110 8.8.3.3). */
function compressedForm({ headers, ...answer }: PublicAnswer, body: Uint8Array): PublicAnswer {
  const { etag } = headers
  return {
    ...answer,
    body,
    headers: {
      ...headers,
      'content-encoding': 'gzip',
      ...(etag !== undefined && { etag: compressedTag(etag) }),
    },
  }
}

function withoutType({
  'content-type': _type,
  'content-encoding': _encoding,
  ...headers
}: PublicAnswer['headers']) {
  return headers
}

const preparedBytes = ({ answer, compressed }: Prepared): number =>
  1000 + (answer.body?.length ?? 0) + (compressed?.length ?? 0)
