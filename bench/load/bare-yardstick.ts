import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { GivenAnswer } from './bare-server.js'
import type { Target } from './load.js'

/** What a service is compared with that does its least: answers from Express or from Node.js alone, or after one durable row. */
export type Yardstick = 'express' | 'http' | 'durable'

export const YARDSTICKS: readonly Yardstick[] = ['express', 'http', 'durable']

/** A server that answers the bytes that the service answers, and does nothing else. */
export class BareYardstick {
  private constructor(
    private readonly server: ChildProcess,
    readonly target: Target,
  ) {}

  static async start(kind: Yardstick): Promise<BareYardstick> {
    const server = fork(join(import.meta.dirname, 'bare-server.ts'), [kind], {
      execArgv: ['--import', 'tsx'],
      serialization: 'advanced',
    })
    const [port] = (await once(server, 'message')) as [number]
    return new BareYardstick(server, { url: `http://127.0.0.1:${port}`, apiKey: undefined })
  }

  async answerWith(answer: GivenAnswer): Promise<void> {
    const set = once(this.server, 'message')
    this.server.send(answer)
    await set
  }

  stop(): void {
    this.server.kill()
  }
}
