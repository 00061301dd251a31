import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AgentError, UnderWay } from '@vidimus/core-types'
import { malformedBody } from './malformed-body.js'

/** What bodies may take. */
export interface BodyLimits {
  /** of one, inclusive */
  bodyBytes: number
  /** of all that are on their way at the same time, together; at least one always has room */
  bodyBytesTogether: number
  /** from when one is asked for until it is there, milliseconds */
  bodyMs: number
}

/** Reads bodies. What came of those that are still on their way is bounded, as nothing else bounds it. */
export class BodyReader {
  private bytes = 0
  private readonly reading = new UnderWay()

  constructor(private readonly limits: BodyLimits) {}

  /** Bodies that are still on their way. */
  get awaited(): number {
    return this.reading.count
  }

  /** What came of them, in bytes. */
  get held(): number {
    return this.bytes
  }

  /**
   * Reads a body as UTF-8.
   *
   * @param gone - nobody waits for the answer any more
   * @param most - bytes, inclusive
   * @throws AgentError `body_too_large` before more than the limit is kept, `request_timeout`, `malformed_body` for what is
   * not UTF-8, `unavailable` where too much is on its way; the reason of `gone`
   */
  async read(
    req: IncomingMessage,
    res: ServerResponse,
    gone: AbortSignal,
    most = this.limits.bodyBytes,
  ): Promise<string> {
    if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge(most)
    gone.throwIfAborted()
    // Only now, so that a client that asked first does not send what would be refused (RFC 9110 10.1.1).
    if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue()
    return decodeUtf8(await this.reading.during(() => this.readBytes(req, gone, most)))
  }

  private async readBytes(req: IncomingMessage, gone: AbortSignal, most: number): Promise<Buffer> {
    const chunks: Buffer[] = []
    let length = 0
    const take = (chunk: Buffer): void => {
      length += chunk.length
      this.bytes += chunk.length
      if (length > most) throw tooLarge(most)
      if (this.bytes > this.limits.bodyBytesTogether && this.bytes > length) throw tooMuch()
      chunks.push(chunk)
    }
    try {
      await arrival(req, take, gone, this.limits.bodyMs)
    } finally {
      this.bytes -= length
    }
    return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  }
}

/** @throws what `take` throws, AgentError `request_timeout`, the reason of `gone`, and why the request broke off */
function arrival(
  req: IncomingMessage,
  take: (chunk: Buffer) => void,
  gone: AbortSignal,
  ms: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      req.off('data', onData).off('end', onEnd).off('error', onError)
      gone.removeEventListener('abort', onGone)
      clearTimeout(timer)
      finish()
    }
    const onData = (chunk: Buffer) => {
      try {
        take(chunk)
      } catch (error) {
        onError(error as Error)
      }
    }
    const onEnd = () => settle(resolve)
    const onError = (error: Error) => settle(() => reject(error))
    const onGone = () => onError(gone.reason as Error)
    const timer = setTimeout(() => onError(tooSlow(ms)), ms).unref()
    gone.addEventListener('abort', onGone)
    req.on('data', onData).on('end', onEnd).on('error', onError)
  })
}

function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformedBody('', 'is not valid UTF-8')
  return bytes.toString('utf8')
}

const tooSlow = (ms: number) => new AgentError('request_timeout', `the body did not arrive within ${ms} ms`)

const tooMuch = () => new AgentError('unavailable', 'too many request bodies at once; try again in a moment')

const tooLarge = (maxBytes: number) =>
  new AgentError('body_too_large', `the body is larger than the limit of ${maxBytes} bytes`)
