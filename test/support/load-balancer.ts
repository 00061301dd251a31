import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

/** One address in front of several nodes, each of which answers in its turn, as providers of RPC have it. */
export class LoadBalancer {
  private turn = 0

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async inFrontOf(nodes: readonly { url: string }[]): Promise<LoadBalancer> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const balancer = new LoadBalancer(server, `http://127.0.0.1:${port}`)
    server.on('request', (req, res) => {
      const node = nodes[balancer.turn++ % nodes.length]
      void (async () => {
        let body = ''
        for await (const chunk of req) body += String(chunk)
        const init = req.method === 'POST' ? { method: 'POST', body } : {}
        const answer = await fetch(new URL(req.url ?? '/', node?.url), init)
        res.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
      })().catch(() => res.destroy())
    })
    return balancer
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close')
    this.server.close()
    this.server.closeAllConnections()
    await closed
  }
}
