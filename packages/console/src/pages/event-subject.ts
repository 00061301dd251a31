import type { Route } from '../routes.js'
import type { AccountEvent } from './events.js'

/** What an event is about, as the page shows it. */
export interface EventSubject {
  name: string
  /** what the name belongs to */
  of?: string
  /** the page that shows it */
  route?: Route
}

/** Types of events come from plugins too: what is not known is shown as it is. */
export function subjectOf({ type, subject, data }: AccountEvent): EventSubject {
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

/** What else an event tells, in a few words. */
export function detailsOf({ type, data }: AccountEvent): string {
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
