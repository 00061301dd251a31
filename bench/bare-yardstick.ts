import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fire, one, type Scenario, type Target } from './fire.js'

/** An Express server that answers the bytes that the service answers, and does nothing else. */
export class BareYardstick {
  private constructor(
    private readonly server: ChildProcess,
    private readonly target: Target,
  ) {}

  static async start(): Promise<BareYardstick> {
    const server = fork(join(import.meta.dirname, 'bare-server.ts'), { execArgv: ['--import', 'tsx'] })
    const [port] = (await once(server, 'message')) as [number]
    return new BareYardstick(server, { url: `http://127.0.0.1:${port}`, apiKey: undefined })
  }

  /** Requests per second of it, where it answers what the service answers to the scenario. */
  async perSecond(service: Target, scenario: Scenario, seconds: number): Promise<number> {
    this.server.send(await one(service, scenario))
    await once(this.server, 'message')
    return (await fire(this.target, scenario, { seconds })).requests.average
  }

  stop(): void {
    this.server.kill()
  }
}
