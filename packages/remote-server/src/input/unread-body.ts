import type { IncomingMessage, ServerResponse } from 'node:http'

/** Up to here it is cheaper to read the rest of a body than to open another connection for the next request. */
const MOST_BYTES = 64 * 1024
/** How long the client has to read the answer. */
const LINGER_MS = 1000

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
    // The server has begun to read the rest and to throw it away: this has to come after that.
    setImmediate(() => socket.pause())
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
    socket.once('close', () => clearTimeout(timer))
  }
}

const isShort = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= MOST_BYTES
