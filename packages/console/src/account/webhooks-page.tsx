import { useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { asked, Paging, totalOf } from '../parts/paging.js'
import { Failure, Heading, Section, Table, Time, type Row } from '../parts/pieces.js'
import { useAction, useLoaded } from '../parts/use-loaded.js'
import { routeHash, type Place } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { AccountNav } from './account-nav.js'
import { DeadLetters } from './dead-letters.js'
import { ShownOnce } from './shown-once.js'
import { CreateWebhook, RevokeWebhook } from './webhook-dialogs.js'
import type { CreatedWebhook, Webhook } from './webhook.js'

const PER_PAGE = 25

type Opened = { what: 'create' } | { what: 'revoke' | 'dead letters'; webhook: Webhook }

/** The receivers of the account's events: what they got, and what they did not get. */
export function WebhooksPage({ place }: { place: Place }) {
  const whyNot = useWhyNot()('webhook-list')
  return (
    <>
      <Heading title="Webhooks">Webhooks</Heading>
      <AccountNav current="webhooks" />
      {whyNot === undefined ? <ListedWebhooks place={place} /> : <p class="note">{whyNot}</p>}
    </>
  )
}

function ListedWebhooks({ place }: { place: Place }) {
  const { client } = useSession()
  const whyNotCreate = useWhyNot()('webhook-create')
  const [opened, setOpened] = useState<Opened>()
  const [created, setCreated] = useState<CreatedWebhook>()
  const { value, error, loading, reload } = useLoaded(`webhooks ${JSON.stringify(place)}`, () =>
    client.get('/account/webhooks', { params: { query: asked(place, PER_PAGE) } }),
  )
  const close = () => setOpened(undefined)
  return (
    <>
      {created && (
        <ShownOnce
          title={`Secret of ${created.url}`}
          hint="The receiver verifies deliveries with this secret."
          secret={created.secret}
          onClose={() => setCreated(undefined)}
        />
      )}
      <Section
        title={value ? totalOf(value, 'webhook') : 'Webhooks'}
        actions={
          <div class="row">
            <button type="button" onClick={reload}>
              Refresh
            </button>
            <ActionButton class="primary" whyNot={whyNotCreate} onClick={() => setOpened({ what: 'create' })}>
              Create a webhook
            </ActionButton>
          </div>
        }
      >
        <Reasons of={[whyNotCreate]} />
        <Failure text={error} />
        {loading && !value && <p class="hint">Loading …</p>}
        {value?.webhooks.length === 0 && (
          <p class="hint">
            No webhooks yet. A webhook sends every event of the account to your address, signed with a secret.
          </p>
        )}
        {value && value.webhooks.length > 0 && (
          <WebhookTable webhooks={value.webhooks} onOpen={setOpened} onResumed={reload} />
        )}
        {value && (
          <Paging
            place={place}
            size={PER_PAGE}
            facts={{ ...value, rows: value.webhooks.length }}
            hrefOf={(next) => routeHash({ page: 'webhooks', place: next })}
          />
        )}
      </Section>
      {opened?.what === 'dead letters' && (
        <DeadLetters webhook={opened.webhook} onClose={close} onReplayed={reload} />
      )}
      {opened?.what === 'create' && (
        <CreateWebhook
          onClose={close}
          onDone={(webhook) => {
            setCreated(webhook)
            reload()
          }}
        />
      )}
      {opened?.what === 'revoke' && (
        <RevokeWebhook webhook={opened.webhook} onClose={close} onDone={reload} />
      )}
    </>
  )
}

function WebhookTable({
  webhooks,
  onOpen,
  onResumed,
}: {
  webhooks: readonly Webhook[]
  onOpen: (opened: Opened) => void
  onResumed: () => void
}) {
  const whyNot = useWhyNot()
  const [whyNotRevoke, whyNotLook] = [whyNot('webhook-revoke'), whyNot('webhook-dead-letters')]
  const rows = webhooks.map((webhook): Row => {
    const { id, url, types, state, revokedAt, lastDeliveredAt, lastFailure, waiting, deadLetters } = webhook
    return {
      key: id,
      cells: [
        <span class="wrap">
          {url}
          <span class="hint below">{types ? types.join(', ') : 'all events'}</span>
        </span>,
        webhookState(webhook),
        lastDeliveredAt ? <Time at={lastDeliveredAt} /> : 'never',
        <span class="wrap short">
          {countText(waiting)}
          {lastFailure && waiting > 0 && <span class="hint below">{lastFailure.reason}</span>}
        </span>,
        countText(deadLetters),
        <span class="row">
          {deadLetters > 0 && (
            <ActionButton whyNot={whyNotLook} onClick={() => onOpen({ what: 'dead letters', webhook })}>
              Dead letters<span class="quiet"> of {url}</span>
            </ActionButton>
          )}
          {state === 'suspended' && <ResumeWebhook webhook={webhook} onDone={onResumed} />}
          {revokedAt === undefined && (
            <ActionButton whyNot={whyNotRevoke} onClick={() => onOpen({ what: 'revoke', webhook })}>
              Revoke<span class="quiet"> {url}</span>
            </ActionButton>
          )}
        </span>,
      ],
    }
  })
  const head = ['Receiver', 'State', 'Last delivery', 'Pending', 'Dead letters', 'Actions']
  return <Table caption="Webhooks of the account" head={head} rows={rows} />
}

/** Makes the webhook that of the caller, whose API key or session it depends on from then on. */
function ResumeWebhook({ webhook: { id, url }, onDone }: { webhook: Webhook; onDone: () => void }) {
  const { client, announce } = useSession()
  const { run, busy, error } = useAction(async () => {
    await client.post('/account/webhooks/{id}/resume', { params: { path: { id } } })
    announce('The webhook was resumed.')
    onDone()
  })
  return (
    <>
      <ActionButton whyNot={useWhyNot()('webhook-resume')} busy={busy} onClick={run}>
        Resume<span class="quiet"> {url}</span>
      </ActionButton>
      <Failure text={error} />
    </>
  )
}

function webhookState({ state, revokedAt, revokedBy, lastFailure, waiting }: Webhook): string {
  if (revokedAt !== undefined) return revokedBy === 'account' ? 'revoked' : `revoked by its ${revokedBy}`
  if (state === 'suspended') return 'suspended: the rights of its owner have ended'
  return lastFailure && waiting > 0 ? 'failing, retried' : 'in use'
}

/** The service counts so far. */
const MOST_COUNTED = 10_000

const countText = (count: number): string =>
  `${count.toLocaleString('en')}${count >= MOST_COUNTED ? ' or more' : ''}`
