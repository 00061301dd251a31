import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { Agent } from '@veramo/core'
import {
  currentAccount,
  type Account,
  type AnyAgent,
  type Authenticator,
  type Problem,
} from '@vidimus/core-types'
import { createApp } from '../../app.js'
import type { RemoteServerOptions } from '../../options.js'
import { openLog } from '../../request/request-log.js'

export const KEY = 'vidimus_test'
const account: Account = { id: 'a3c1', name: 'default', createdAt: '2026-01-01T00:00:00Z' }

export const authenticator: Authenticator = {
  authenticate: (key) => Promise.resolve(key === KEY ? account : undefined),
}

type Methods = Record<string, (args: never) => Promise<unknown>>

/** An agent with only these methods; their arguments and scope are recorded. */
export function agentWith(methods: Methods) {
  const calls: { method: string; args: unknown; account: string }[] = []
  const kept = Object.entries(methods).map(([method, run]) => [
    method,
    async (args: never) => {
      calls.push({ method, args, account: currentAccount().id })
      return run(args)
    },
  ])
  const plugin = { methods: Object.fromEntries(kept) as Record<string, never> }
  return { agent: new Agent({ plugins: [plugin] }) as unknown as AnyAgent, calls }
}

export interface TestService {
  url: string
  server: Server
  /** the log, one object for each line */
  lines: () => Record<string, unknown>[]
  logText: () => string
  stop: () => Promise<void>
}

/** The app on a port that the system chose. */
export async function serve(
  options: Pick<RemoteServerOptions, 'agent'> & Partial<RemoteServerOptions>,
): Promise<TestService> {
  let text = ''
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  const { host: _host, port: _port, ...others } = options
  const app = createApp({
    authenticator,
    ...others,
    logger: openLog({ level: 'info', pretty: false, destination }).logger,
  })
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    logText: () => text,
    lines: () =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export interface AnswerBody {
  [member: string]: unknown
  error: string
  code: string
  requestId: string
  details: Problem[]
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** of JSON answers; members that are not there are undefined */
  body: AnswerBody
}

/** A request with the key, unless `headers` say otherwise. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { 'x-api-key': KEY, ...(init.headers as Record<string, string>) }
  const response = await fetch(url, { redirect: 'manual', ...init, headers })
  const text = await response.text()
  const isJson = text !== '' && response.headers.get('content-type')?.includes('json')
  const body = (isJson ? JSON.parse(text) : {}) as AnswerBody
  return { status: response.status, headers: response.headers, text, body }
}

export const postJson = (url: string, body: unknown) =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

export const postForm = (url: string, body: string) =>
  ask(url, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body })
