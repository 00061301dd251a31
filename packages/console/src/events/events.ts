import { ApiError } from '@vidimus/client'
import { isObject } from '../parts/is-object.js'
import { reached, type Session } from '../session.js'

/** The address of the account's events; not every service has it. */
export const EVENTS_PATH = '/account/events'

/** An event of the account. */
export interface AccountEvent {
  id: string
  type: string
  /** ISO 8601 */
  time: string
  subject: string
  /** further data, by its type */
  data: Record<string, unknown>
}

type Access = Pick<Session, 'base' | 'apiKey'>

/** The most events kept in the page. */
export const MOST_SHOWN = 500
const PER_REQUEST = 1000
const MOST_REQUESTS = 100
/** The service gives a sign of life every ten seconds. */
const LONGEST_SILENCE_MS = 30_000

/** The list in a response, by itself or inside of an object. */
export function eventsOnPage(body: unknown): AccountEvent[] {
  const list = Array.isArray(body) ? (body as unknown[]) : isObject(body) ? body.events : []
  return Array.isArray(list) ? list.filter(isObject).map(toAccountEvent) : []
}

/** The newest events that could be read. */
export interface RecentEvents {
  /** newest first */
  events: AccountEvent[]
  /** there are more than were read: these are not the newest */
  more: boolean
}

/** The service lists them oldest first, so this reads every page. */
export async function readEvents(access: Access): Promise<RecentEvents> {
  let recent: AccountEvent[] = []
  for (let n = 0; n < MOST_REQUESTS; n++) {
    const after = recent.at(-1)?.id
    const query = new URLSearchParams({ limit: String(PER_REQUEST), ...(after !== undefined && { after }) })
    const answer = await asked(access, `${EVENTS_PATH}?${query.toString()}`, 'application/json')
    const body: unknown = await answer.json()
    recent = [...recent, ...eventsOnPage(body)].slice(-MOST_SHOWN)
    const more = isObject(body) && body.more === true && recent.at(-1)?.id !== after
    if (!more) return { events: recent.reverse(), more }
  }
  return { events: recent.reverse(), more: true }
}

/**
 * Passes on events as they arrive, until the connection ends.
 *
 * @param after - id of the last known event
 * @param onOpen - called once the stream is open
 * @throws ApiError, also if nothing, not even a keep-alive, has arrived for too long
 */
export async function followEvents(
  access: Access,
  after: string | undefined,
  { onOpen, onEvents }: { onOpen: () => void; onEvents: (events: AccountEvent[]) => void },
  signal: AbortSignal,
): Promise<void> {
  const query = after === undefined ? '' : `?${new URLSearchParams({ after }).toString()}`
  const answer = await asked(access, EVENTS_PATH + query, 'text/event-stream', signal)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const messages = new StreamedMessages()
  if (!reader) return
  onOpen()
  for (;;) {
    const { done, value } = await reached(inTime(reader.read()))
    if (done) return
    const events = messages.add(value).map(parsed).filter(isObject).map(toAccountEvent)
    if (events.length > 0) onEvents(events)
  }
}

/** A connection can end silently. @throws Error if nothing arrives for too long */
async function inTime<T>(reading: Promise<T>): Promise<T> {
  let timer: number | undefined
  const silence = new Promise<never>((_resolve, reject) => {
    timer = window.setTimeout(() => reject(new Error('the connection is silent')), LONGEST_SILENCE_MS)
  })
  return Promise.race([reading, silence]).finally(() => window.clearTimeout(timer))
}

async function asked({ base, apiKey }: Access, path: string, accept: string, signal?: AbortSignal) {
  const headers = { 'x-api-key': apiKey, accept }
  const answer = await reached(fetch(base + path, { headers, redirect: 'error', ...(signal && { signal }) }))
  if (answer.ok) return answer
  const body: unknown = await answer.json().catch(() => undefined)
  const said = isObject(body) && typeof body.error === 'string' ? body.error : undefined
  throw new ApiError(said ?? `the service responded with ${answer.status}`, {
    code: `http_${answer.status}`,
    status: answer.status,
  })
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    // anything else is not an event
    return undefined
  }
}

const toAccountEvent = ({ id, type, time, subject, data }: Record<string, unknown>): AccountEvent => ({
  id: textOrNothing(id),
  type: textOrNothing(type),
  time: textOrNothing(time),
  subject: textOrNothing(subject),
  data: isObject(data) ? data : {},
})

const textOrNothing = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

/**
 * Parses the data of server-sent events from a stream (HTML standard, 9.2.6). `EventSource` cannot send
 * an API key.
 */
export class StreamedMessages {
  private rest = ''
  private data: string[] = []

  /** @returns the data of the messages that are complete now */
  add(text: string): string[] {
    // A line may end with CR LF, of which the second half is yet to come.
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/)
    this.rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.take(line))
  }

  private take(line: string): string[] {
    if (line === '') {
      const { data } = this
      this.data = []
      return data.length > 0 ? [data.join('\n')] : []
    }
    const [, value] = /^data(?:: ?(.*))?$/.exec(line) ?? []
    if (line === 'data' || value !== undefined) this.data.push(value ?? '')
    return []
  }
}
