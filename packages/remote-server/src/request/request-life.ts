import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The client went away before its request was answered: there is nobody left to answer. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'

  constructor() {
    super('the client disconnected before the response')
  }
}

/** Requests of a connection that are not over. */
const livesOf = new WeakMap<Socket, Set<RequestLife>>()

/**
 * A request from its headers to the end of its answer or of its connection, whichever comes first. An answer that waits
 * behind another one of its connection is never told of that end; the connection always is.
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
    this.lives = livesOf.get(socket) ?? begun(socket)
    this.lives.add(this)
    res.once('close', () => this.end())
    if (socket.destroyed) this.end()
  }

  /** Aborts with {@link ClientGone} when nobody waits for the answer any more. */
  get gone(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.over) this.abortUnlessAnswered()
    return this.controller.signal
  }

  get isOver(): boolean {
    return this.over
  }

  /** Runs `ending` once, when the request is over, however that comes. */
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
  livesOf.set(socket, lives)
  socket.once('close', () => {
    for (const life of lives) life.end()
  })
  return lives
}
