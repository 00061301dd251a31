import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** What happens to connections, those that are open as well as new ones. */
export interface Fault {
  /** each piece arrives so much later */
  latencyMs?: number
  /** each direction of each connection */
  bytesPerSecond?: number
  /** nothing goes through in either direction, nor is anything refused; what came in meanwhile goes on afterwards */
  stalled?: boolean
  /** what goes this way is lost, and nobody is told */
  lost?: 'to the server' | 'to the client'
  /** new connections are closed at once */
  refusing?: boolean
  /**
   * the connection of one COMMIT is cut, once: instead of the COMMIT, or instead of its answer; `skip`: after how many other
   * COMMITs, default 0; `of`: only those count whose transactions have sent this text
   */
  cutting?: { at: 'COMMIT' | 'its answer'; skip?: number; of?: string }
}

/** A TCP proxy that does to connections what bad networks do. */
export class FaultProxy {
  /** COMMITs that were cut */
  cutCommits = 0
  private fault: Fault = {}
  private readonly links = new Set<Link>()

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param target - port of this machine that it stands in front of */
  static async inFrontOf(target: number): Promise<FaultProxy> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const proxy = new FaultProxy(server, (server.address() as AddressInfo).port)
    server.on('connection', (client) => proxy.accept(client, target))
    return proxy
  }

  /** Open connections. */
  get connections(): number {
    return this.links.size
  }

  /** From now on, until something else is said. */
  impose(fault: Fault): void {
    this.fault = fault
    for (const link of this.links) link.resume()
  }

  /** As before; connections that have lost something are cut, as nothing sensible can come of them. */
  restore(): void {
    this.impose({})
    for (const link of this.links) if (link.hasLost) link.cut()
  }

  /** Cuts what is open, in the midst of whatever it is. @returns how many there were */
  cut(): number {
    const cut = [...this.links]
    for (const link of cut) link.cut()
    return cut.length
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close')
    this.server.close()
    this.cut()
    await closed
  }

  /**
   * @param sent - what its transaction has sent
   * @returns what is cut of a COMMIT that is on its way
   */
  private cutting(sent: string): 'COMMIT' | 'its answer' | undefined {
    const { cutting, ...others } = this.fault
    if (!cutting) return undefined
    const { at, skip = 0, of = '' } = cutting
    if (!sent.includes(of)) return undefined
    this.fault = skip > 0 ? { ...others, cutting: { ...cutting, skip: skip - 1 } } : others
    if (skip > 0) return undefined
    this.cutCommits += 1
    return at
  }

  private accept(client: Socket, target: number): void {
    if (this.fault.refusing) {
      client.resetAndDestroy()
      return
    }
    const link = new Link(client, connect({ port: target, host: '127.0.0.1' }), () => this.fault)
    link.committing = (sent) => this.cutting(sent)
    this.links.add(link)
    link.ended = () => this.links.delete(link)
  }
}

/** One connection through the proxy. */
class Link {
  hasLost = false
  committing: (sent: string) => 'COMMIT' | 'its answer' | undefined = () => undefined
  /** to the server, since a COMMIT is to be cut */
  private sent = ''
  private isDoomed = false
  ended: () => unknown = () => undefined
  private readonly flows: Flow[]

  constructor(
    private readonly client: Socket,
    private readonly server: Socket,
    private readonly fault: () => Fault,
  ) {
    client.setNoDelay(true)
    server.setNoDelay(true)
    const losing = (way: Fault['lost']) => (bytes?: Buffer) => {
      if (bytes && this.cutsAt(way, bytes)) return true
      const lost = fault().lost === way
      this.hasLost ||= lost
      return lost
    }
    this.flows = [
      new Flow(client, server, fault, losing('to the server')),
      new Flow(server, client, fault, losing('to the client')),
    ]
    for (const socket of [client, server]) {
      socket.on('error', () => this.cut())
      socket.on('close', () => this.finish())
    }
  }

  resume(): void {
    for (const flow of this.flows) flow.resume()
  }

  cut(): void {
    for (const socket of [this.client, this.server]) if (!socket.destroyed) socket.resetAndDestroy()
  }

  /** @returns whether it is cut now */
  private cutsAt(way: Fault['lost'], bytes: Buffer): boolean {
    const at = way === 'to the server' ? this.commits(bytes) : undefined
    this.isDoomed ||= at === 'its answer'
    const isAnswer = this.isDoomed && way === 'to the client' && bytes.includes('COMMIT')
    const cuts = at === 'COMMIT' || isAnswer
    if (cuts) this.cut()
    return cuts
  }

  /** @returns what is cut of the COMMIT, if it is one */
  private commits(bytes: Buffer): 'COMMIT' | 'its answer' | undefined {
    this.sent = this.fault().cutting ? this.sent + bytes.toString('latin1') : ''
    const transaction = this.sent.slice(Math.max(this.sent.lastIndexOf('BEGIN'), 0))
    return bytes.includes('COMMIT') ? this.committing(transaction) : undefined
  }

  /** What one side ended, the other one hears of once everything has arrived there. */
  private finish(): void {
    if (this.client.destroyed && this.server.destroyed) this.ended()
  }
}

/** One direction of a connection: pieces go on in their order, each when its time has come. */
class Flow {
  private readonly pieces: { bytes: Buffer | undefined; due: number }[] = []
  private timer: NodeJS.Timeout | undefined
  private freeAt = 0

  constructor(
    from: Socket,
    private readonly to: Socket,
    private readonly fault: () => Fault,
    private readonly loses: (bytes?: Buffer) => boolean,
  ) {
    from.on('data', (bytes) => {
      if (this.loses(bytes)) return
      this.pieces.push({ bytes, due: this.dueOf(bytes.length) })
      this.resume()
    })
    from.on('close', () => {
      if (this.loses()) return
      this.pieces.push({ bytes: undefined, due: this.dueOf(0) })
      this.resume()
    })
  }

  resume(): void {
    clearTimeout(this.timer)
    const now = performance.now()
    const { stalled, latencyMs, bytesPerSecond } = this.fault()
    if (stalled) return
    const patient = latencyMs !== undefined || bytesPerSecond !== undefined
    for (let piece = this.pieces[0]; piece; piece = this.pieces[0]) {
      if (patient && piece.due > now) {
        this.timer = setTimeout(() => this.resume(), piece.due - now)
        return
      }
      this.pieces.shift()
      if (this.to.destroyed) continue
      if (piece.bytes) this.to.write(piece.bytes)
      else this.to.destroySoon()
    }
  }

  private dueOf(length: number): number {
    const { latencyMs = 0, bytesPerSecond = Infinity } = this.fault()
    const arrives = Math.max(performance.now() + latencyMs, this.freeAt)
    this.freeAt = arrives + (length / bytesPerSecond) * 1000
    return this.freeAt
  }
}
