import type { AnswerOf } from '@vidimus/client'
import { useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { ListPage, type Action, type DialogParts } from '../parts/list-page.js'
import { counted, Failure, Section, Table, Time, type Row } from '../parts/pieces.js'
import { useAction, useLoaded } from '../parts/use-loaded.js'
import type { TableRoute } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { shownOnce } from './shown-once.js'

type Webhook = AnswerOf<'/account/webhooks', 'get'>['webhooks'][number]

const MOST_SHOWN = 100

/** The receivers of the account's events, and what is pending or undelivered. */
export function WebhooksPage({ route }: { route: TableRoute }) {
  const { client } = useSession()
  return (
    <ListPage
      route={route}
      heading="Webhooks"
      caption="Webhooks of the account"
      one="webhook"
      operation="webhook-list"
      read={async (query) => {
        const { webhooks, ...end } = await client.get('/account/webhooks', { params: { query } })
        return { ...end, items: webhooks }
      }}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Receiver',
          cell: ({ url, types }) => (
            <span class="wrap">
              {url}
              <span class="hint below">{types ? types.join(', ') : 'all events'}</span>
            </span>
          ),
        },
        { head: 'State', cell: (webhook) => webhookState(webhook) },
        {
          head: 'Last delivery',
          cell: ({ lastDeliveredAt }) => (lastDeliveredAt ? <Time at={lastDeliveredAt} /> : 'never'),
        },
        {
          head: 'Pending',
          cell: ({ waiting, lastFailure }) => (
            <span class="wrap short">
              {countText(waiting)}
              {lastFailure && waiting > 0 && <span class="hint below">{lastFailure.reason}</span>}
            </span>
          ),
        },
        { head: 'Dead letters', cell: ({ deadLetters }) => countText(deadLetters) },
      ]}
      none="No webhooks yet. A webhook sends every event of the account to your address, signed with a secret."
      actions={[
        {
          label: 'Create a webhook',
          operation: 'webhook-create',
          primary: true,
          dialog: (parts) => <CreateWebhook {...parts} />,
        },
      ]}
      rowActions={useWebhookActions()}
    />
  )
}

function useWebhookActions() {
  const { client } = useSession()
  return (webhook: Webhook): Action[] => {
    const { id, url, state, revokedAt, deadLetters } = webhook
    const params = { path: { id } }
    const letters: Action = {
      label: 'Dead letters',
      of: `of ${url}`,
      operation: 'webhook-dead-letters',
      dialog: (parts) => <DeadLetters webhook={webhook} {...parts} />,
    }
    // The webhook then depends on the caller's API key or session.
    const resume: Action = {
      label: 'Resume',
      of: url,
      operation: 'webhook-resume',
      run: async () => {
        await client.post('/account/webhooks/{id}/resume', { params })
        return 'The webhook was resumed.'
      },
    }
    const revoke: Action = {
      label: 'Revoke',
      of: url,
      operation: 'webhook-revoke',
      grave: true,
      confirm: <p>It gets nothing from now on, permanently; pending events are not delivered.</p>,
      run: async () => {
        await client.delete('/account/webhooks/{id}', { params })
        return 'The webhook was revoked.'
      },
    }
    return [
      ...(deadLetters > 0 ? [letters] : []),
      ...(state === 'suspended' ? [resume] : []),
      ...(revokedAt === undefined ? [revoke] : []),
    ]
  }
}

function webhookState({ state, revokedAt, revokedBy, lastFailure, waiting }: Webhook): string {
  if (revokedAt !== undefined) return revokedBy === 'account' ? 'revoked' : `revoked by its ${revokedBy}`
  if (state === 'suspended') return 'suspended: the rights of its owner have ended'
  return lastFailure && waiting > 0 ? 'failing, retried' : 'in use'
}

/** The service stops counting here. */
const MOST_COUNTED = 10_000

const countText = (count: number): string =>
  `${count.toLocaleString('en')}${count >= MOST_COUNTED ? ' or more' : ''}`

function CreateWebhook({ onClose, onDone }: DialogParts) {
  const { client, announce } = useSession()
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState('')
  const { run, busy, error } = useAction(async () => {
    const chosen = types.split(/[\s,]+/).filter((type) => type !== '')
    const created = await client.post('/account/webhooks', {
      body: { url: url.trim(), ...(chosen.length > 0 && { types: chosen }) },
    })
    onClose()
    announce('The webhook was created.')
    onDone(
      shownOnce({
        title: `Secret of ${created.url}`,
        hint: 'The receiver verifies deliveries with this secret.',
        secret: created.secret,
      }),
    )
  })
  return (
    <Dialog title="Create a webhook" submit="Create" busy={busy} onClose={onClose} onSubmit={run}>
      <FormField
        label="Address of the receiver"
        value={url}
        onChange={setUrl}
        required
        placeholder="https://receiver.example/vidimus"
      />
      <FormField
        label="Events"
        value={types}
        onChange={setTypes}
        placeholder="list.updated, did.deactivated"
        hint="Types, separated by commas. Empty: all events"
      />
      <Failure text={error} />
    </Dialog>
  )
}

/** Events that a receiver did not accept in time, each with the reason and a button to send it again. */
function DeadLetters({
  webhook: { id, url, revokedAt },
  onClose,
  onDone,
}: DialogParts & { webhook: Webhook }) {
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
    announce(`${counted(replayed, 'event')} will be delivered again.`)
    reload()
    onDone()
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
