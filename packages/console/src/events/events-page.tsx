import { useEffect, useState } from 'preact/hooks'
import { Failure, Heading, Section, Table, Time } from '../parts/pieces.js'
import { isRefusedKey, useLoaded } from '../parts/use-loaded.js'
import { routeHash, type Route } from '../routes.js'
import { KEY_REFUSED, failureSentence, useSession } from '../session.js'
import { followEvents, MOST_SHOWN, readEvents, type AccountEvent, type RecentEvents } from './events.js'

const RECONNECT_MS = 3000
/** Rows per step. */
const STEP = 50

/** The events of the account, newest first, including new ones while the page is open. */
export function EventsPage() {
  const session = useSession()
  const { value: past, error, loading, reload } = useLoaded('events', () => readEvents(session))
  const { fresh, away } = useFreshEvents(past)
  const events = past && [...fresh, ...past.events].slice(0, MOST_SHOWN)
  return (
    <>
      <Heading title="Events">Events</Heading>
      <Section
        title={past?.more ? 'Events' : 'Recent events'}
        actions={
          <button type="button" onClick={reload}>
            Refresh
          </button>
        }
      >
        {past && <Liveness more={past.more} away={away} />}
        <Failure text={error} />
        {loading && !events && <p class="hint">Loading …</p>}
        {events?.length === 0 && <p class="hint">Nothing has happened yet.</p>}
        {events && events.length > 0 && <EventTable events={events} />}
      </Section>
    </>
  )
}

/** How recent the table is. @param away - why new events do not arrive; absent: they do, or are about to */
function Liveness({ more, away }: { more: boolean; away: string | undefined }) {
  if (more) {
    return (
      <p class="note failure">
        There are more events than this page loads: newer ones follow those below.{' '}
        <code>GET /account/events</code> lists all of them.
      </p>
    )
  }
  return (
    <>
      <div role="alert" class={away ? 'note failure' : 'quiet'}>
        {away && `${away} New events are not shown until the connection is back; the page keeps trying.`}
      </div>
      <p class="hint">Newest first{!away && '; new ones appear automatically'}.</p>
    </>
  )
}

function EventTable({ events }: { events: readonly AccountEvent[] }) {
  const [most, setMost] = useState(STEP)
  const rows = events.slice(0, most).map((event) => {
    const { name, of, route } = eventSubject(event)
    return {
      key: event.id,
      cells: [
        <Time at={event.time} />,
        event.type,
        <span class="mono wrap">
          {route ? <a href={routeHash(route)}>{name}</a> : name}
          {of && <span class="hint below">{of}</span>}
        </span>,
        eventDetails(event) || undefined,
      ],
    }
  })
  return (
    <>
      <Table caption="Events of the account" head={['Time', 'Event', 'Subject', 'Details']} rows={rows} />
      {events.length > most && (
        <nav class="row" aria-label="Events">
          <button type="button" onClick={() => setMost(most + STEP)}>
            Show older events
          </button>
        </nav>
      )}
    </>
  )
}

/** New events after those that were read; reconnects if the stream ends. */
function useFreshEvents(past: RecentEvents | undefined): { fresh: AccountEvent[]; away: string | undefined } {
  const session = useSession()
  const [fresh, setFresh] = useState<AccountEvent[]>([])
  const [away, setAway] = useState<string>()
  useEffect(() => {
    setFresh([])
    setAway(undefined)
    if (!past || past.more) return
    const stop = new AbortController()
    let last = past.events[0]?.id
    const onEvents = (events: AccountEvent[]) => {
      last = events.at(-1)?.id ?? last
      setFresh((old) => [...events.toReversed(), ...old].slice(0, MOST_SHOWN))
      session.announce(events.map(({ type, subject }) => `${type}: ${subject}`).join('; '))
    }
    const follow = async (): Promise<void> => {
      try {
        await followEvents(session, last, { onOpen: () => setAway(undefined), onEvents }, stop.signal)
      } catch (error) {
        if (isRefusedKey(error)) return session.signOut(KEY_REFUSED)
        // Any other error may be temporary.
        if (!stop.signal.aborted) setAway(failureSentence(error))
      }
      if (!stop.signal.aborted) timer = window.setTimeout(() => void follow(), RECONNECT_MS)
    }
    let timer = window.setTimeout(() => void follow())
    return () => {
      stop.abort()
      window.clearTimeout(timer)
    }
  }, [past])
  return { fresh, away }
}

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
