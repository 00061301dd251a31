import type { Route } from '../routes.js'
import type { AccountEvent } from './events.js'

/** The subject of an event, as the page shows it. */
export interface EventSubject {
  name: string
  /** the kind of the named object */
  of?: string
  /** the page that shows it */
  route?: Route
}

/** Plugins add event types too: unknown ones are shown unchanged. */
export function eventSubject({ type, subject, data }: AccountEvent): EventSubject {
  if (type.startsWith('did.')) return { name: subject, route: { page: 'did', did: subject } }
  if (!type.startsWith('list.')) return { name: subject }
  const { did, listType, statusListName } = data
  const resourceType = new URLSearchParams(subject.split('?')[1]).get('resourceType')
  if (!isText(did) || !isText(listType) || !isText(statusListName) || !resourceType) return { name: subject }
  return {
    name: statusListName,
    of: `${listType} of ${did}`,
    route: { page: 'list', list: { did, listType, resourceType, statusListName } },
  }
}

/** The further data of an event, in a few words. */
export function eventDetails({ type, data }: AccountEvent): string {
  const { entriesChanged, confirmed, ...others } = data
  const shown = type.startsWith('list.')
    ? []
    : Object.entries(others).map(([name, value]) => `${name}: ${asText(value)}`)
  if (typeof entriesChanged === 'number') {
    shown.unshift(
      `${entriesChanged.toLocaleString('en')} ${entriesChanged === 1 ? 'entry' : 'entries'} changed`,
    )
  }
  if (confirmed === false) shown.push('may not have happened')
  return shown.join(', ')
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
