import { Failure, Heading, Section, Table, Time } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { useSession } from '../session.js'
import { readEvents } from './events.js'

/** What happened in the account, newest first as the service tells it. */
export function EventsPage() {
  const session = useSession()
  const { value: events, error, loading, reload } = useLoaded('events', () => readEvents(session))
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
        <Failure text={error} />
        {loading && !events && <p class="hint">Loading …</p>}
        {events?.length === 0 && <p class="hint">Nothing has happened yet.</p>}
        {events && events.length > 0 && (
          <Table caption="Recent events" head={['Time (UTC)', 'Type', 'Subject']}>
            {events.map(({ id, type, time, subject }) => (
              <tr key={id}>
                <td>
                  <Time at={time} />
                </td>
                <td>{type}</td>
                <td class="mono wrap">{subject}</td>
              </tr>
            ))}
          </Table>
        )}
      </Section>
    </>
  )
}
