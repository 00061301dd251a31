import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { AgentError } from '@vidimus/core-types'
import { Places } from '../admission/places.js'
import { ClientGone } from '../request/request-life.js'
import { malformedBody } from './malformed-body.js'

/** Limits for bodies. */
export interface BodyLimits {
  /** per body, inclusive */
  bodyBytes: number
  /** of all bodies together until they are processed; at least one is always accepted */
  bodyBytesTogether: number
  /** of these of one account */
  bodyBytesPerAccount: number
  /** bodies of one account that are being received */
  concurrentRequestsPerAccount: number
  /** time to receive a body, milliseconds */
  bodyMs: number
}

/** Reads bodies. Bounds what arrived of them and is not processed yet, and how many an account is sending. */
export class BodyReader {
  private readonly waiting: Places
  private readonly bytes: Places

  constructor(private readonly limits: BodyLimits) {
    const { bodyBytesTogether, bodyBytesPerAccount, concurrentRequestsPerAccount } = limits
    this.waiting = new Places({
      limit: 'concurrentRequestsPerAccount',
      most: concurrentRequestsPerAccount,
      what: 'too many requests of this account that wait for their body',
    })
    this.bytes = new Places(
      {
        limit: 'bodyBytesPerAccount',
        most: bodyBytesPerAccount,
        what: 'too many request bodies of this account at once',
      },
      { limit: 'bodyBytesTogether', most: bodyBytesTogether, what: 'too many request bodies at once' },
    )
  }

  /** Bodies being received. */
  get awaited(): number {
    return this.waiting.count
  }

  /** Size in bytes of what was received and is not processed yet. */
  get held(): number {
    return this.bytes.count
  }

  /**
   * Reads a body as UTF-8, and counts it until it is processed.
   *
   * @param owner - the account; `undefined`: an unknown client
   * @param process - gets the body
   * @param most - bytes, inclusive
   * @throws AgentError `body_too_large` before more than the limit is buffered, `request_timeout`, `malformed_body` if
   * it is not UTF-8; LimitReached; {@link ClientGone}; any error of `process`
   */
  async during<T>(
    req: IncomingMessage,
    res: ServerResponse,
    owner: string | undefined,
    process: (text: string) => Promise<T>,
    most = this.limits.bodyBytes,
  ): Promise<T> {
    if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge(most)
    if (req.destroyed) throw new ClientGone()
    let length = 0
    const take = (chunk: Buffer): void => {
      length += chunk.length
      this.bytes.add(owner, chunk.length)
      if (length > most) throw tooLarge(most)
      this.bytes.demandRoom(owner, length)
    }
    try {
      const text = await this.waiting.during(owner, () => {
        // Only now, so that a client that expects 100-continue does not send a body that would be refused (RFC 9110
        // 10.1.1).
        if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue()
        return arrival(req, take, this.limits.bodyMs)
      })
      return await process(text)
    } finally {
      this.bytes.add(owner, -length)
    }
  }
}

/**
 * @throws any error of `take`, AgentError `request_timeout`, `malformed_body`; {@link ClientGone}
 */
function arrival(req: IncomingMessage, take: (chunk: Buffer) => void, ms: number): Promise<string> {
  const chunks: Buffer[] = []
  return new Promise<void>((resolve, reject) => {
    const settle = (finish: () => void) => {
      req.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      clearTimeout(timer)
      finish()
    }
    const onData = (chunk: Buffer) => {
      try {
        take(chunk)
        chunks.push(chunk)
      } catch (error) {
        fail(error as Error)
      }
    }
    const onEnd = () => settle(resolve)
    const fail = (error: Error) => settle(() => reject(error))
    const onGone = () => fail(new ClientGone())
    const timer = setTimeout(() => fail(tooSlow(ms)), ms).unref()
    req.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  }).then(() => decodeUtf8(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
}

function decodeUtf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformedBody('', 'is not valid UTF-8')
  return bytes.toString('utf8')
}

const tooSlow = (ms: number) => new AgentError('request_timeout', `the body did not arrive within ${ms} ms`)

const tooLarge = (maxBytes: number) =>
  new AgentError('body_too_large', `the body is larger than the limit of ${maxBytes} bytes`)
