import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { hasBody } from './content-type.js'

/** Up to this size, reading the rest of a body is cheaper than a new connection for the next request. */
const MOST_BYTES = 64 * 1024
/** How long the client has to read the response. */
const LINGER_MS = 1000
/** Maximum wait for the short rest of a body after the response. */
export const LONGEST_REST_MS = 5000

/** Closes a connection after its last response, whether or not the client does so. */
export function cutSoon(socket: Duplex): void {
  cutAfter(socket, LINGER_MS)
}

/**
 * Stops reading a request that was answered before its body was read, unless the rest is short, and closes its
 * connection. The connection closes a little after the response, because closing it while the client still writes would
 * discard the response.
 */
export function dropUnreadBody(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete || req.destroyed || isShort(req)) return
  const { socket } = req
  // Asks the client not to send its next request on this connection.
  res.shouldKeepAlive = false
  // The server calls this after its last response. By default it would close the connection immediately.
  socket.destroySoon = () => {
    socket.end()
    // The server has started to discard the rest: this must come after that.
    setImmediate(() => socket.pause())
    cutSoon(socket)
  }
}

/** Closes the connection of an answered request whose body arrives too slowly. */
export function limitUnreadBody(req: IncomingMessage, res: ServerResponse, restMs: number): void {
  if (!hasBody(req.headers)) return
  res.once('finish', () => {
    if (req.complete) return
    const stop = cutAfter(req.socket, restMs)
    req.once('end', stop)
  })
}

/** @returns a function that cancels this */
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
