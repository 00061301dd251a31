import { ActionButton, Reasons } from '../parts/action-button.js'
import { Failure, Section, Table, Time, type Row } from '../parts/pieces.js'
import { useAction, useLoaded } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'
import type { Webhook } from './webhook.js'

const MOST_SHOWN = 100

interface DeadLettersProps {
  webhook: Webhook
  onClose: () => void
  onReplayed: () => void
}

/** Events that a receiver did not take in time, with the reason, and how to send them again. */
export function DeadLetters({ webhook: { id, url, revokedAt }, onClose, onReplayed }: DeadLettersProps) {
  const { client, announce } = useSession()
  const whyNot = useWhyNot()
  const { value, error, loading, reload } = useLoaded(`dead letters ${id}`, () =>
    client.get('/account/webhooks/{id}/dead-letters', {
      params: { path: { id }, query: { limit: MOST_SHOWN } },
    }),
  )
  const replay = useAction(async (events?: string[]) => {
    const { replayed } = await client.post('/account/webhooks/{id}/replay', {
      params: { path: { id } },
      body: events ? { events } : {},
    })
    announce(`${replayed} of them will be delivered again.`)
    reload()
    onReplayed()
  })
  const revoked = revokedAt === undefined ? undefined : 'The webhook is revoked.'
  const whyNotReplay = revoked ?? whyNot('webhook-replay')
  const deliver = (label: string, events?: string[]) => (
    <ActionButton whyNot={whyNotReplay} busy={replay.busy} onClick={() => replay.run(events)}>
      Deliver{label}
    </ActionButton>
  )
  const rows = (value?.deadLetters ?? []).map(({ event, attempts, failure }): Row => ({
    key: event.id,
    cells: [
      <Time at={event.time} />,
      <span class="wrap">
        {event.type}
        <span class="hint below">{event.subject}</span>
      </span>,
      <span class="number">{attempts}</span>,
      <span class="wrap short">{failure.reason}</span>,
      <span class="row">{deliver(' again', [event.id])}</span>,
    ],
  }))
  return (
    <Section
      title={`Dead letters of ${url}`}
      actions={
        <div class="row">
          {rows.length > 0 && deliver(' all again')}
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      }
    >
      <Reasons of={[whyNotReplay]} />
      <Failure text={error ?? replay.error} />
      {loading && !value && <p class="hint">Loading …</p>}
      {value && rows.length === 0 && <p class="hint">No dead letters left.</p>}
      {rows.length > 0 && (
        <Table
          caption="Dead letters"
          head={['Time', 'Event', 'Attempts', 'Last failure', 'Actions']}
          rows={rows}
        />
      )}
      {value?.more && (
        <p class="hint">
          These are the {MOST_SHOWN} oldest; more follow. “Deliver all again” means all of them.
        </p>
      )}
    </Section>
  )
}
