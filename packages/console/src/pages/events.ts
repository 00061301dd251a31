import type { Session } from '../session.js'

/** Where the service tells what happened in the account; not every service has it. */
export const EVENTS_PATH = '/account/events'

/** Something that happened. */
export interface AccountEvent {
  id: string
  type: string
  time: string
  subject: string
}

/** What an answer tells, as a list of its own or inside of an object. */
export function eventsOf(body: unknown): AccountEvent[] {
  const list = Array.isArray(body) ? (body as unknown[]) : isObject(body) ? body.events : []
  return Array.isArray(list) ? list.filter(isObject).map(eventOf) : []
}

export async function readEvents({
  base,
  apiKey,
}: Pick<Session, 'base' | 'apiKey'>): Promise<AccountEvent[]> {
  const answer = await fetch(base + EVENTS_PATH, {
    headers: { 'x-api-key': apiKey, accept: 'application/json' },
  })
  if (!answer.ok) throw new Error(`The service answered with ${answer.status}.`)
  return eventsOf(await answer.json())
}

const eventOf = ({ id, type, time, subject }: Record<string, unknown>): AccountEvent => ({
  id: textOf(id),
  type: textOf(type),
  time: textOf(time),
  subject: textOf(subject),
})

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
