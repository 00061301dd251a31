import { useEffect, useState } from 'preact/hooks'
import { Failure, Heading, Section, Table, Time } from '../parts/pieces.js'
import { isRefusedKey, useLoaded } from '../parts/use-loaded.js'
import { hashOf } from '../routes.js'
import { KEY_REFUSED, useSession } from '../session.js'
import { detailsOf, subjectOf } from './event-subject.js'
import { followEvents, MOST_SHOWN, readEvents, type AccountEvent } from './events.js'

const RECONNECT_MS = 3000

/** What happened in the account, newest first, and what happens while the page is open. */
export function EventsPage() {
  const session = useSession()
  const { value: past, error, loading, reload } = useLoaded('events', () => readEvents(session))
  const fresh = useFreshEvents(past)
  const events = past && [...fresh, ...past].slice(0, MOST_SHOWN)
  return (
    <>
      <Heading title="Events">Events</Heading>
      <Section
        title="Recent events"
        actions={
          <button type="button" onClick={reload}>
            Refresh
          </button>
        }
      >
        <p class="hint">Newest first; new ones appear by themselves.</p>
        <Failure text={error} />
        {loading && !events && <p class="hint">Loading …</p>}
        {events?.length === 0 && <p class="hint">Nothing has happened yet.</p>}
        {events && events.length > 0 && (
          <Table caption="Recent events" head={['Time (UTC)', 'Event', 'Subject', 'Details']}>
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </Table>
        )}
      </Section>
    </>
  )
}

function EventRow({ event }: { event: AccountEvent }) {
  const { name, of, route } = subjectOf(event)
  return (
    <tr>
      <td>
        <Time at={event.time} />
      </td>
      <td>{event.type}</td>
      <td class="mono wrap">
        {route ? <a href={hashOf(route)}>{name}</a> : name}
        {of && <div class="hint">{of}</div>}
      </td>
      <td>{detailsOf(event)}</td>
    </tr>
  )
}

/** What came after the events that were read; connects again where the stream ends. */
function useFreshEvents(past: AccountEvent[] | undefined): AccountEvent[] {
  const session = useSession()
  const [fresh, setFresh] = useState<AccountEvent[]>([])
  useEffect(() => {
    if (!past) return
    const stop = new AbortController()
    let last = past[0]?.id
    setFresh([])
    const take = (events: AccountEvent[]) => {
      last = events.at(-1)?.id ?? last
      setFresh((old) => [...events.toReversed(), ...old].slice(0, MOST_SHOWN))
      session.announce(events.map(({ type, subject }) => `${type}: ${subject}`).join('; '))
    }
    const follow = async (): Promise<void> => {
      try {
        await followEvents(session, last, take, stop.signal)
      } catch (error) {
        if (isRefusedKey(error)) session.signOut(KEY_REFUSED)
        // Everything else may be over in a moment.
      }
      if (!stop.signal.aborted) timer = window.setTimeout(() => void follow(), RECONNECT_MS)
    }
    let timer = window.setTimeout(() => void follow())
    return () => {
      stop.abort()
      window.clearTimeout(timer)
    }
  }, [past])
  return fresh
}
