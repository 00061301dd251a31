import { ApiError } from '@vidimus/client'
import type { Session } from '../session.js'
import { StreamedMessages } from './streamed-messages.js'

/** Where the service tells what happened in the account; not every service has it. */
export const EVENTS_PATH = '/account/events'

/** Something that happened. */
export interface AccountEvent {
  id: string
  type: string
  /** ISO 8601 */
  time: string
  subject: string
  /** what else is told, by its type */
  data: Record<string, unknown>
}

type Access = Pick<Session, 'base' | 'apiKey'>

/** As many are kept in the page. */
export const MOST_SHOWN = 500
const PER_REQUEST = 1000
const MOST_REQUESTS = 100

/** What an answer tells, as a list of its own or inside of an object. */
export function eventsOf(body: unknown): AccountEvent[] {
  const list = Array.isArray(body) ? (body as unknown[]) : isObject(body) ? body.events : []
  return Array.isArray(list) ? list.filter(isObject).map(eventOf) : []
}

/** The last events, newest first. The service lists them oldest first, so all pages are gone through. */
export async function readEvents(access: Access): Promise<AccountEvent[]> {
  let recent: AccountEvent[] = []
  for (let n = 0; n < MOST_REQUESTS; n++) {
    const after = recent.at(-1)?.id
    const query = new URLSearchParams({ limit: String(PER_REQUEST), ...(after !== undefined && { after }) })
    const answer = await asked(access, `${EVENTS_PATH}?${query.toString()}`, 'application/json')
    const body: unknown = await answer.json()
    recent = [...recent, ...eventsOf(body)].slice(-MOST_SHOWN)
    if (!isObject(body) || body.more !== true || recent.at(-1)?.id === after) break
  }
  return recent.reverse()
}

/**
 * Tells events as they come, until the connection ends.
 *
 * @param after - id of the last event that is known
 */
export async function followEvents(
  access: Access,
  after: string | undefined,
  onEvents: (events: AccountEvent[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const query = after === undefined ? '' : `?${new URLSearchParams({ after }).toString()}`
  const answer = await asked(access, EVENTS_PATH + query, 'text/event-stream', signal)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  const messages = new StreamedMessages()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return
    const events = messages.add(value).map(parsed).filter(isObject).map(eventOf)
    if (events.length > 0) onEvents(events)
  }
}

async function asked({ base, apiKey }: Access, path: string, accept: string, signal?: AbortSignal) {
  const answer = await fetch(base + path, {
    headers: { 'x-api-key': apiKey, accept },
    redirect: 'error',
    ...(signal && { signal }),
  })
  if (answer.ok) return answer
  const body: unknown = await answer.json().catch(() => undefined)
  const said = isObject(body) && typeof body.error === 'string' ? body.error : undefined
  throw new ApiError(said ?? `the service answered with ${answer.status}`, {
    code: `http_${answer.status}`,
    status: answer.status,
  })
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown
  } catch {
    // whatever it is, it is no event
    return undefined
  }
}

const eventOf = ({ id, type, time, subject, data }: Record<string, unknown>): AccountEvent => ({
  id: textOf(id),
  type: textOf(type),
  time: textOf(time),
  subject: textOf(subject),
  data: isObject(data) ? data : {},
})

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
