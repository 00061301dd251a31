import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AgentError } from '@vidimus/core-types'

/** Connections whose body is being read: such a request may take longer than others, as long as it makes progress. */
const streaming = new WeakSet<Duplex>()

export const isStreaming = (socket: Duplex): boolean => streaming.has(socket)

/** The least pace of a client. */
export interface LeastPace {
  /** over this time, in milliseconds, in which the service waits for the client */
  bodyMs: number
  uploadBytesPerSecond: number
}

/**
 * A body as it arrives, at the pace at which it is read.
 *
 * @param gone - aborts when the client disconnects
 * @throws AgentError `request_timeout`, and the reason of `gone`
 */
export async function* streamedBody(
  req: IncomingMessage,
  res: ServerResponse,
  gone: AbortSignal,
  { bodyMs, uploadBytesPerSecond }: LeastPace,
): AsyncGenerator<Uint8Array> {
  gone.throwIfAborted()
  const { socket } = req
  streaming.add(socket)
  // Only now, so that a client that expects 100-continue does not send a body that would be refused (RFC 9110 10.1.1).
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue()
  // The response is sent over the same connection, however the reading ends.
  const chunks = req.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array, undefined>
  const tooSlow = () =>
    new AgentError(
      'request_timeout',
      `the body arrives at less than ${uploadBytesPerSecond} bytes a second over ${bodyMs} ms`,
    )
  // Every byte pays for some of the time that was spent waiting; what a client sends early it cannot save up.
  let leftMs = bodyMs
  try {
    for (;;) {
      const waitsSince = performance.now()
      const next = await inTime(chunks.next(), gone, leftMs, tooSlow)
      if (next.done) return
      const paidMs = (next.value.length * 1000) / uploadBytesPerSecond
      leftMs = Math.min(bodyMs, leftMs - (performance.now() - waitsSince) + paidMs)
      yield next.value
    }
  } finally {
    streaming.delete(socket)
  }
}

async function inTime<T>(
  next: Promise<T>,
  gone: AbortSignal,
  ms: number,
  tooSlow: () => AgentError,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let onGone: (() => void) | undefined
  const end = new Promise<never>((_resolve, reject) => {
    onGone = () => reject(gone.reason as Error)
    gone.addEventListener('abort', onGone)
    timer = setTimeout(() => reject(tooSlow()), ms).unref()
  })
  try {
    return await Promise.race([next, end])
  } catch (error) {
    // Whoever lost the race must not fail unheard.
    next.catch(() => undefined)
    gone.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    if (onGone) gone.removeEventListener('abort', onGone)
  }
}
