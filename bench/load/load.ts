import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Job, Run } from './client-process.js'

export type { Run } from './client-process.js'

/** Requests of one kind, as many clients send them. */
export interface Scenario {
  name: string
  connections: number
  /** default: POST */
  method?: 'GET' | 'POST'
  path: string | ((n: number) => string)
  /** of the n-th request; left out: none */
  body?: (n: number) => Record<string, unknown>
  /** of the n-th request, beside those of a body and of the API key */
  headers?: (n: number) => Record<string, string>
  /** whose the n-th request is; left out: all are the target's */
  apiKey?: (n: number) => string
  /** each request is sent once; otherwise the same ones are sent again */
  once?: boolean
  /** that every answer has; default 200 */
  status?: number
}

export interface Target {
  url: string
  apiKey: string | undefined
}

/** Different requests of a scenario that may be sent again. */
const DIFFERENT = 4096
/** More than any server answers of those that are sent once: who comes to their end is done earlier. */
const ONCE_PER_SECOND = 8_000

/** A process that sends requests over raw keep-alive sockets: what it costs is not taken from the bench, and is told apart. */
export class LoadClient {
  /** by scenario: the number of the next request, of those that are sent once */
  private readonly sent = new Map<string, number>()

  private constructor(private readonly client: ChildProcess) {}

  static async start(): Promise<LoadClient> {
    const client = fork(join(import.meta.dirname, 'client-process.ts'), {
      execArgv: ['--import', 'tsx'],
      serialization: 'advanced',
    })
    await once(client, 'message')
    return new LoadClient(client)
  }

  get pid(): number {
    return this.client.pid ?? 0
  }

  /** @throws where anything else is answered than the scenario expects */
  async fire(target: Target, scenario: Scenario, seconds: number): Promise<Run> {
    const run = await this.send(jobOf(target, scenario, seconds, this.sent.get(scenario.name) ?? 0))
    if (scenario.once) this.sent.set(scenario.name, (this.sent.get(scenario.name) ?? 0) + run.answers)
    const { status = 200 } = scenario
    if (Object.keys(run.statuses).some((answered) => answered !== String(status)))
      throw new Error(`${scenario.name}: ${JSON.stringify(run.statuses)}`)
    return run
  }

  stop(): void {
    this.client.kill()
  }

  private async send(job: Job): Promise<Run> {
    const answered = once(this.client, 'message') as Promise<[{ found: Run } | { failure: string }]>
    this.client.send(job)
    const [answer] = await answered
    if ('failure' in answer) throw new Error(answer.failure)
    return answer.found
  }
}

/** The numbers of requests from here on are those that no run comes to. */
let apart = 1_000_000_007

/** One request of it, beside those of all runs. */
export async function one(
  target: Target,
  scenario: Scenario,
): Promise<{ status: number; contentType: string; body: Buffer }> {
  const { method, path, headers, body } = requestOf(target, scenario, apart++)
  const response = await fetch(target.url + path, { method, headers, ...(body !== undefined && { body }) })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== (scenario.status ?? 200))
    throw new Error(`${scenario.name}: ${bytes.toString().slice(0, 300)}`)
  return { status: response.status, contentType: response.headers.get('content-type') ?? '', body: bytes }
}

function jobOf(target: Target, scenario: Scenario, seconds: number, from: number): Job {
  const { hostname, port } = new URL(target.url)
  const amount = scenario.once ? Math.ceil(ONCE_PER_SECOND * seconds) : DIFFERENT
  return {
    host: hostname,
    port: Number(port),
    connections: scenario.connections,
    requests: Array.from({ length: amount }, (_, n) =>
      textOf(hostname, requestOf(target, scenario, from + n)),
    ),
    again: !scenario.once,
    seconds,
  }
}

function requestOf({ apiKey }: Target, { method = 'POST', path, ...scenario }: Scenario, n: number) {
  const body = scenario.body && JSON.stringify(scenario.body(n))
  const key = scenario.apiKey?.(n) ?? apiKey
  return {
    method,
    path: typeof path === 'string' ? path : path(n),
    headers: {
      ...(key !== undefined && { 'x-api-key': key }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...scenario.headers?.(n),
    },
    body,
  }
}

function textOf(host: string, { method, path, headers, body }: ReturnType<typeof requestOf>): string {
  const lines = Object.entries({
    host,
    ...headers,
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}
