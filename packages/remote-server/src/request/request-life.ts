import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The client disconnected before its request was answered. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'

  constructor() {
    super('the client disconnected before the response')
  }
}

/** Nobody sends more requests ahead on one connection, and each takes memory until its answer is read. */
const MOST_AHEAD = 256

/** Unfinished requests of a connection. */
const livesBySocket = new WeakMap<Socket, Set<RequestLife>>()

/**
 * A request from its headers to the end of its response or of its connection, whichever comes first. A response queued
 * behind another on its connection is never notified of that end; the connection always is.
 */
export class RequestLife {
  private controller: AbortController | undefined
  private over = false
  private readonly endings: (() => void)[] = []
  private readonly lives: Set<RequestLife>

  constructor(
    { socket }: IncomingMessage,
    private readonly res: ServerResponse,
  ) {
    this.lives = livesBySocket.get(socket) ?? begun(socket)
    this.lives.add(this)
    if (this.lives.size > MOST_AHEAD) socket.destroy()
    res.once('close', () => this.end())
    if (socket.destroyed) this.end()
  }

  /** Aborts with {@link ClientGone} once the client has disconnected. */
  get gone(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.over) this.abortUnlessAnswered()
    return this.controller.signal
  }

  get isOver(): boolean {
    return this.over
  }

  /** Runs `ending` once when the request ends, in whatever way. */
  atEnd(ending: () => void): void {
    if (this.over) ending()
    else this.endings.push(ending)
  }

  end(): void {
    if (this.over) return
    this.over = true
    this.lives.delete(this)
    this.abortUnlessAnswered()
    for (const ending of this.endings) ending()
  }

  private abortUnlessAnswered(): void {
    if (!this.res.writableFinished) this.controller?.abort(new ClientGone())
  }
}

function begun(socket: Socket): Set<RequestLife> {
  const lives = new Set<RequestLife>()
  livesBySocket.set(socket, lives)
  socket.once('close', () => {
    for (const life of lives) life.end()
  })
  return lives
}
