import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { AgentError } from '@vidimus/core-types'

/** Connections whose body is being read: such a request may take longer than others, as long as it makes progress. */
const streaming = new WeakSet<Duplex>()

export const isStreaming = (socket: Duplex): boolean => streaming.has(socket)

/**
 * A body as it arrives, at the pace at which it is read.
 *
 * @param gone - aborts when the client disconnects
 * @param idleMs - how long the next bytes may take
 * @throws AgentError `request_timeout`, and the reason of `gone`
 */
export async function* streamedBody(
  req: IncomingMessage,
  res: ServerResponse,
  gone: AbortSignal,
  idleMs: number,
): AsyncGenerator<Uint8Array> {
  gone.throwIfAborted()
  const { socket } = req
  streaming.add(socket)
  // Only now, so that a client that expects 100-continue does not send a body that would be refused (RFC 9110 10.1.1).
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue()
  // The response is sent over the same connection, however the reading ends.
  const chunks = req.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array, undefined>
  try {
    for (;;) {
      const next = await inTime(chunks.next(), gone, idleMs)
      if (next.done) return
      yield next.value
    }
  } finally {
    streaming.delete(socket)
  }
}

async function inTime<T>(next: Promise<T>, gone: AbortSignal, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  let onGone: (() => void) | undefined
  const end = new Promise<never>((_resolve, reject) => {
    onGone = () => reject(gone.reason as Error)
    gone.addEventListener('abort', onGone)
    timer = setTimeout(() => reject(tooSlow(ms)), ms).unref()
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

const tooSlow = (ms: number) =>
  new AgentError('request_timeout', `no further part of the body arrived within ${ms} ms`)
