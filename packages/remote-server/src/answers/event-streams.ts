import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import {
  BOUNDS,
  AgentError,
  runInAccountScope,
  runWhileWanted,
  type Authenticator,
} from '@vidimus/core-types'
import { presentedKey } from '../admission/authentication.js'
import type { Places } from '../admission/places.js'
import type { ConsoleCookies } from '../console/cookies.js'
import type { BaseHeaders } from './base-headers.js'
import type { OperationStream, StreamedEvent } from '../operation.js'
import { EVENT_STREAM } from '../docs/event-stream.js'
import { asksFor, type Asking } from '../input/content-type.js'
import { requestContext } from '../request/request-context.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'

/** How often a stream checks for new events, a valid API key and a stop of the service. Milliseconds. */
const LOOK_EVERY_MS = 500
/** Proxies close connections that are silent for half a minute. */
const SIGN_OF_LIFE_MS = 10_000

/** Whether the client asks for a stream instead of a single response. */
export const wantsStream = (request: Asking): boolean => asksFor(request, EVENT_STREAM)

/**
 * Sends server-sent events until the client disconnects, the API key ends or the service stops.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class EventStreams {
  constructor(
    private readonly places: Places,
    private readonly authenticator: Authenticator,
    private readonly cookies: ConsoleCookies,
    private readonly headers: BaseHeaders,
    private readonly isStopping: () => boolean,
  ) {}

  /** @throws AgentError `too_many_requests`, `unavailable`, and what opening the stream throws */
  async answer(
    req: ServedRequest,
    res: ServedResponse,
    stream: OperationStream,
    input: Parameters<OperationStream['open']>[0],
  ): Promise<void> {
    if (this.isStopping()) throw new AgentError('unavailable', 'the service is stopping; try again later')
    await this.places.during(input.account.id, () => this.stream(req, res, stream, input))
  }

  private async stream(
    req: ServedRequest,
    res: ServedResponse,
    stream: OperationStream,
    input: Parameters<OperationStream['open']>[0],
  ): Promise<void> {
    const lastEventId = readLastEventId(req)
    const { requestId, client, life } = requestContext(res)
    const origin = { requestId, ...(client && { address: client.address }) }
    const inScope = <T>(work: () => T) =>
      runWhileWanted(life, () => runInAccountScope(input.account, work, origin))
    life.gone.throwIfAborted()
    const next = await inScope(() => stream.open(input, lastEventId))
    life.gone.throwIfAborted()
    this.begin(res)
    await this.write(req, res, () => inScope(next)).catch((error: unknown) => {
      // The client reconnects and misses nothing.
      requestContext(res).failure = error
    })
    res.end()
  }

  private begin(res: ServedResponse): void {
    this.headers.set(res)
    res.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // nginx would buffer the events
      'x-accel-buffering': 'no',
    })
    res.write(': connected\n\n')
  }

  private async write(
    req: ServedRequest,
    res: ServedResponse,
    next: () => Promise<readonly StreamedEvent[]>,
  ): Promise<void> {
    const { gone } = requestContext(res).life
    const mayGoOn = async () => !gone.aborted && !this.isStopping() && (await this.isLetIn(req))
    for (let signAt = performance.now() + SIGN_OF_LIFE_MS; ;) {
      const events = await next()
      // Checked after the events were read: events after the revocation of the key must not be sent.
      if (!(await mayGoOn())) return
      const isQuiet = events.length === 0 && performance.now() < signAt
      if (isQuiet) await pause(LOOK_EVERY_MS, undefined, { signal: gone }).catch(() => undefined)
      else {
        await written(res, events.map(eventText).join('') || ':\n\n', gone, mayGoOn)
        signAt = performance.now() + SIGN_OF_LIFE_MS
      }
    }
  }

  /** Whether the API key of the request is still valid. */
  private async isLetIn({ headers }: ServedRequest): Promise<boolean> {
    const presented = presentedKey(headers, this.cookies)
    if (!('credential' in presented)) return false
    return (await this.authenticator.authenticate(presented.credential)) !== undefined
  }
}

function readLastEventId({ headers }: ServedRequest): string | undefined {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id.slice(0, BOUNDS.eventId) : undefined
}

/** JSON has no line breaks, so it fits into one data line. */
const eventText = ({ id, type, data }: StreamedEvent): string =>
  `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`

/** Waits, within a limit, for a client that reads more slowly than events arrive; unread events are then not sent. */
async function written(
  res: ServedResponse,
  text: string,
  signal: AbortSignal,
  mayGoOn: () => Promise<boolean>,
): Promise<void> {
  if (res.write(text)) return
  let drained = false
  const waiting = new AbortController()
  const ends = AbortSignal.any([signal, waiting.signal])
  void once(res, 'drain', { signal: ends }).then(
    () => {
      drained = true
      waiting.abort()
    },
    () => undefined,
  )
  while (!drained && !signal.aborted) {
    await pause(LOOK_EVERY_MS, undefined, { signal: ends }).catch(() => undefined)
    if (!drained && !(await mayGoOn())) {
      waiting.abort()
      res.destroy()
      return
    }
  }
}
