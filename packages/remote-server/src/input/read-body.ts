import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AgentError } from '@vidimus/core-types'
import { ClientGone } from '../request/request-life.js'
import { malformedBody } from './malformed-body.js'

/** Limits for bodies. */
export interface BodyLimits {
  /** per body, inclusive */
  bodyBytes: number
  /** of all bodies being received, together; at least one is always accepted */
  bodyBytesTogether: number
  /** time to receive a body, milliseconds */
  bodyMs: number
}

/** Reads bodies. Bounds the total size of partially received ones, as nothing else does. */
export class BodyReader {
  private bytes = 0
  private reading = 0

  constructor(private readonly limits: BodyLimits) {}

  /** Bodies being received. */
  get awaited(): number {
    return this.reading
  }

  /** Their received size in bytes. */
  get held(): number {
    return this.bytes
  }

  /**
   * Reads a body as UTF-8.
   *
   * @param most - bytes, inclusive
   * @throws AgentError `body_too_large` before more than the limit is buffered, `request_timeout`, `malformed_body` if
   * it is not UTF-8, `unavailable` if too much is being received; {@link ClientGone}
   */
  async read(req: IncomingMessage, res: ServerResponse, most = this.limits.bodyBytes): Promise<string> {
    if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge(most)
    if (req.destroyed) throw new ClientGone()
    // Only now, so that a client that expects 100-continue does not send a body that would be refused (RFC 9110
    // 10.1.1).
    if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue()
    const chunks: Buffer[] = []
    let length = 0
    const take = (chunk: Buffer): void => {
      length += chunk.length
      this.bytes += chunk.length
      if (length > most) throw tooLarge(most)
      if (this.bytes > this.limits.bodyBytesTogether && this.bytes > length) throw tooMuch()
      chunks.push(chunk)
    }
    this.reading += 1
    try {
      await arrival(req, take, this.limits.bodyMs)
    } finally {
      this.reading -= 1
      this.bytes -= length
    }
    return decodeUtf8(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
  }
}

/**
 * @throws any error of `take`, AgentError `request_timeout`, {@link ClientGone}
 */
function arrival(req: IncomingMessage, take: (chunk: Buffer) => void, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      clearTimeout(timer)
      finish()
    }
    const onData = (chunk: Buffer) => {
      try {
        take(chunk)
      } catch (error) {
        fail(error as Error)
      }
    }
    const onEnd = () => settle(resolve)
    const fail = (error: Error) => settle(() => reject(error))
    const onGone = () => fail(new ClientGone())
    const timer = setTimeout(() => fail(tooSlow(ms)), ms).unref()
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
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
