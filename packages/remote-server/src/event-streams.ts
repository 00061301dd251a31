import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  AgentError,
  runInAccountScope,
  runWhileWanted,
  UnderWay,
  type Authenticator,
} from '@vidimus/core-types'
import type { Request, Response } from 'express'
import { presentedKey } from './authentication.js'
import type { BaseHeaders } from './base-headers.js'
import type { OperationStream, StreamedEvent } from './operation.js'
import { contextOf } from './request-context.js'

/** How often a stream looks for what has come, and whether the service stops. Milliseconds. */
const LOOK_EVERY_MS = 500
/** Proxies close connections that are silent for half a minute; and a revoked key is noticed by then. */
const SIGN_OF_LIFE_MS = 10_000
const MOST_OF_ACCOUNT = 20
const MOST_STREAMS = 2000
const LONGEST_ID = 64

/** Whether the client asks for a stream instead of one answer. */
export const wantsStream = ({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean =>
  method === 'GET' && /(^|[\s,])text\/event-stream(?=$|[\s,;])/i.test(headers.accept ?? '')

/**
 * Answers with server-sent events until the client goes, the API key ends or the service stops.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class EventStreams {
  /** how many there are of each account */
  private readonly open = new Map<string, UnderWay>()

  /** @param all - counts them */
  constructor(
    private readonly all: UnderWay,
    private readonly authenticator: Authenticator,
    private readonly headers: BaseHeaders,
    private readonly isStopping: () => boolean,
  ) {}

  /** @throws AgentError `too_many_requests`, `unavailable`, and what opening the stream throws */
  async answer(
    req: Request,
    res: Response,
    stream: OperationStream,
    input: Parameters<OperationStream['open']>[0],
  ): Promise<void> {
    const { id } = input.account
    this.admit(id)
    const ofAccount = this.open.get(id) ?? new UnderWay()
    this.open.set(id, ofAccount)
    try {
      await this.all.during(() => ofAccount.during(() => this.stream(req, res, stream, input)))
    } finally {
      if (ofAccount.count === 0) this.open.delete(id)
    }
  }

  private async stream(
    req: Request,
    res: Response,
    stream: OperationStream,
    input: Parameters<OperationStream['open']>[0],
  ): Promise<void> {
    const lastEventId = idOf(req)
    const { requestId, client, life } = contextOf(res)
    const origin = { requestId, ...(client && { address: client.address }) }
    const inScope = <T>(work: () => T) =>
      runWhileWanted(life.gone, () => runInAccountScope(input.account, work, origin))
    life.gone.throwIfAborted()
    const next = await inScope(() => stream.open(input, lastEventId))
    life.gone.throwIfAborted()
    this.begin(res)
    await this.write(req, res, () => inScope(next)).catch((error: unknown) => {
      // The client connects again and misses nothing.
      contextOf(res).failure = error
    })
    res.end()
  }

  private begin(res: Response): void {
    this.headers.set(res)
    res.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // nginx would collect the events
      'x-accel-buffering': 'no',
    })
    res.write(': connected\n\n')
  }

  private async write(
    req: Request,
    res: Response,
    next: () => Promise<readonly StreamedEvent[]>,
  ): Promise<void> {
    const { gone } = contextOf(res).life
    const mayGoOn = () => !gone.aborted && !this.isStopping()
    for (let signAt = performance.now() + SIGN_OF_LIFE_MS; mayGoOn();) {
      const events = await next()
      if (events.length > 0) await written(res, events.map(textOf).join(''), gone)
      else await pause(LOOK_EVERY_MS, undefined, { signal: gone }).catch(() => undefined)
      if (performance.now() < signAt) continue
      const key = presentedKey(req.headers)
      if (key === undefined || !(await this.authenticator.authenticate(key))) return
      await written(res, ':\n\n', gone)
      signAt = performance.now() + SIGN_OF_LIFE_MS
    }
  }

  private admit(accountId: string): void {
    const ofAccount = this.open.get(accountId)?.count ?? 0
    if (ofAccount >= MOST_OF_ACCOUNT) {
      throw new AgentError(
        'too_many_requests',
        `the account has ${ofAccount} streams open, and may have no more`,
      )
    }
    if (this.all.count >= MOST_STREAMS || this.isStopping()) {
      throw new AgentError('unavailable', 'too many streams are open; try again later')
    }
  }
}

function idOf({ headers }: Request): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id.slice(0, LONGEST_ID) : undefined
}

/** JSON has no line breaks, so that one line of data holds it. */
const textOf = ({ id, type, data }: StreamedEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`

/** Waits for a client that reads more slowly than events come. */
async function written(res: Response, text: string, signal: AbortSignal): Promise<void> {
  if (!res.write(text) && !signal.aborted) await once(res, 'drain', { signal }).catch(() => undefined)
}
