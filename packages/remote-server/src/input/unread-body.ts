import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { hasBody } from './content-type.js'

/** Up to here it is cheaper to read the rest of a body than to open another connection for the next request. */
const MOST_BYTES = 64 * 1024
/** How long the client has to read the answer. */
const LINGER_MS = 1000
/** How long the short rest of a body is waited for after the answer, at most. */
export const LONGEST_REST_MS = 5000

/** Ends a connection whose last answer is written, whether or not the client does so, too. */
export function cutSoon(socket: Duplex): void {
  cutAfter(socket, LINGER_MS)
}

/**
 * Stops listening to a request that is answered before its body was read, unless the rest is short, and ends its
 * connection. The end comes a little later than the answer, because a connection that is cut while the client still
 * writes takes the answer with it.
 */
export function dropUnreadBody(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete || req.destroyed || isShort(req)) return
  const { socket } = req
  // Tells the client not to send its next request over this connection.
  res.shouldKeepAlive = false
  // What the server calls once its last answer is out. By itself it would cut the connection that very moment.
  socket.destroySoon = () => {
    socket.end()
    // The server has begun to read the rest and to throw it away: this must come after that.
    setImmediate(() => socket.pause())
    cutSoon(socket)
  }
}

/** Cuts the connection of a request that was answered, and whose body then takes its time to come. */
export function limitUnreadBody(req: IncomingMessage, res: ServerResponse, restMs: number): void {
  if (!hasBody(req.headers)) return
  res.once('finish', () => {
    if (req.complete) return
    const stop = cutAfter(req.socket, restMs)
    req.once('end', stop)
  })
}

/** @returns how to let it live */
function cutAfter(socket: Duplex, ms: number): () => void {
  const timer = setTimeout(() => socket.destroy(), ms).unref()
  const stop = () => {
    clearTimeout(timer)
    socket.off('close', stop)
  }
  socket.once('close', stop)
  return stop
}

const isShort = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= MOST_BYTES
