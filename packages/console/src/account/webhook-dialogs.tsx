import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { Failure } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { useSession } from '../session.js'
import type { CreatedWebhook, Webhook } from './webhook.js'

export function CreateWebhook({
  onClose,
  onDone,
}: {
  onClose: () => void
  onDone: (created: CreatedWebhook) => void
}) {
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
    onDone(created)
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

export function RevokeWebhook({
  webhook,
  onClose,
  onDone,
}: {
  webhook: Webhook
  onClose: () => void
  onDone: () => void
}) {
  const { client, announce } = useSession()
  const { run, busy, error } = useAction(async () => {
    await client.delete('/account/webhooks/{id}', { params: { path: { id: webhook.id } } })
    onClose()
    announce('The webhook was revoked.')
    onDone()
  })
  return (
    <Dialog title="Revoke a webhook" submit="Revoke" grave busy={busy} onClose={onClose} onSubmit={run}>
      <p>
        <span class="mono wrap">{webhook.url}</span> gets nothing from now on, permanently; pending events are
        not delivered.
      </p>
      <Failure text={error} />
    </Dialog>
  )
}
