import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** What leaves in the midst of something, reads slowly or stays for no reason. */
export class RudeClients {
  private stopped = false
  private readonly running: Promise<void>[] = []
  left = 0

  constructor(
    private readonly url: string,
    private readonly apiKey: string,
  ) {}

  start(count: number): this {
    for (let n = 0; n < count; n += 1) this.running.push(this.loop(n))
    return this
  }

  async stop(): Promise<void> {
    this.stopped = true
    await Promise.all(this.running)
  }

  private async loop(first: number): Promise<void> {
    const ways = this.ways()
    for (let n = first; !this.stopped; n += 1) {
      const way = ways[n % ways.length]
      // The service may close first, which is its right.
      await way?.(n).catch(() => undefined)
      this.left += 1
    }
  }

  private ways(): ((n: number) => Promise<void>)[] {
    const body = JSON.stringify({ network: 'testnet' })
    const head = this.head(
      'POST',
      '/did/create',
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n`,
    )
    const get = this.head('GET', '/did/list?limit=1000')
    const events = this.head('GET', '/account/events', 'accept: text/event-stream\r\n')
    const document = this.head('GET', '/openapi.json')
    return [
      ...['', head.slice(0, 40), head, head + body.slice(0, 5), head + body, get, get.repeat(5)].map(
        (text) => (n: number) => this.leave(text, n),
      ),
      (n) => this.leave(events, n),
      (n) => this.leave(document, n),
      () => this.readSlowly(document),
      () => this.listenAWhile(events),
    ]
  }

  private head(method: string, path: string, more = ''): string {
    return `${method} ${path} HTTP/1.1\r\nhost: soak\r\nx-api-key: ${this.apiKey}\r\n${more}\r\n`
  }

  /** Says something, and leaves at once or within a few milliseconds, by a FIN or a RST. */
  private async leave(text: string, n: number): Promise<void> {
    const socket = await this.open()
    if (text !== '') socket.write(text)
    await setTimeout((n * 7) % 20)
    if (n % 2 === 0) socket.destroy()
    else socket.resetAndDestroy()
  }

  private async readSlowly(text: string): Promise<void> {
    const socket = await this.open()
    socket.write(text)
    for (let n = 0; n < 20 && !this.stopped && !socket.readableEnded; n += 1) {
      socket.read(1024)
      await setTimeout(50)
    }
    socket.destroy()
  }

  private async listenAWhile(text: string): Promise<void> {
    const socket = await this.open()
    socket.on('data', () => undefined)
    socket.write(text)
    for (let n = 0; n < 20 && !this.stopped; n += 1) await setTimeout(100)
    socket.destroy()
  }

  private async open(): Promise<Socket> {
    const { hostname, port } = new URL(this.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
}
