import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { Failure } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { useSession } from '../session.js'
import { labelOf, type ApiKey, type CreatedApiKey } from './api-key.js'
import { Choices } from './choices.js'
import { grantableScopes } from './grantable-scopes.js'

const NETWORKS = ['testnet', 'mainnet'] as const
type Network = (typeof NETWORKS)[number]

interface DialogParts<Result> {
  onClose: () => void
  onDone: (result: Result) => void
}

export function CreateApiKey({ onClose, onDone }: DialogParts<CreatedApiKey>) {
  const { client, announce, document, limits } = useSession()
  const [name, setName] = useState('')
  const [expiresAt, setExpiresAt] = useState('')
  const [scopes, setScopes] = useState<readonly string[]>([])
  const [networks, setNetworks] = useState<readonly string[]>([])
  const { run, busy, error } = useAction(async () => {
    const created = await client.post('/account/api-keys', {
      body: {
        ...(name.trim() !== '' && { name: name.trim() }),
        ...(expiresAt.trim() !== '' && { expiresAt: expiresAt.trim() }),
        ...(scopes.length > 0 && { scopes: [...scopes] }),
        ...(networks.length > 0 && { networks: [...networks] as Network[] }),
      },
    })
    onClose()
    announce('The API key was created.')
    onDone(created)
  })
  const none = (what: string) =>
    `None chosen: ${what}${limits.scopes || limits.networks ? ', as far as your own API key may' : ''}.`
  return (
    <Dialog title="Create an API key" submit="Create" busy={busy} onClose={onClose} onSubmit={run}>
      <FormField label="Name" value={name} onChange={setName} hint="What the key is for; optional" />
      <FormField
        label="Expires"
        value={expiresAt}
        onChange={setExpiresAt}
        placeholder="2027-12-31"
        hint="A date, or a time such as `2027-12-31T12:00:00Z`. Empty: never, or with your own API key"
      />
      <Choices
        legend="Scopes"
        hint={none('everything that the account may do')}
        of={grantableScopes(document, limits)}
        chosen={scopes}
        onChange={setScopes}
      />
      <Choices
        legend="Networks to write to"
        hint={none('all networks')}
        of={NETWORKS.filter((one) => limits.networks?.includes(one) ?? true)}
        chosen={networks}
        onChange={setNetworks}
      />
      <Failure text={error} />
    </Dialog>
  )
}

const OVERLAPS: Readonly<Record<string, number>> = {
  'a day': 86_400,
  'an hour': 3600,
  'a week': 604_800,
  '30 days': 2_592_000,
  'not at all': 0,
}

export function RotateApiKey({ apiKey, onClose, onDone }: DialogParts<CreatedApiKey> & { apiKey: ApiKey }) {
  const { client, announce } = useSession()
  const [overlap, setOverlap] = useState('a day')
  const { run, busy, error } = useAction(async () => {
    const { created } = await client.post('/account/api-keys/{id}/rotate', {
      params: { path: { id: apiKey.id } },
      body: { overlapSeconds: OVERLAPS[overlap] ?? 0 },
    })
    onClose()
    announce('The API key was rotated.')
    onDone(created)
  })
  return (
    <Dialog title={`Rotate ${labelOf(apiKey)}`} submit="Rotate" busy={busy} onClose={onClose} onSubmit={run}>
      <p>A new key with the same rights and expiry takes its place.</p>
      <FormField
        label="The old key keeps working for"
        value={overlap}
        onChange={setOverlap}
        choices={Object.keys(OVERLAPS)}
      />
      {apiKey.current && (
        <p class="note">You are signed in with this key. Sign in with the new one before it ends.</p>
      )}
      <Failure text={error} />
    </Dialog>
  )
}

export function RevokeApiKey({ apiKey, onClose, onDone }: DialogParts<void> & { apiKey: ApiKey }) {
  const { client, announce } = useSession()
  const { run, busy, error } = useAction(async () => {
    await client.delete('/account/api-keys/{id}', { params: { path: { id: apiKey.id } } })
    onClose()
    announce('The API key was revoked.')
    onDone()
  })
  return (
    <Dialog
      title={`Revoke ${labelOf(apiKey)}`}
      submit="Revoke"
      grave
      busy={busy}
      onClose={onClose}
      onSubmit={run}
    >
      <p>The service refuses this key from now on, permanently. Programs that use it stop working.</p>
      {apiKey.current && <p class="note failure">You are signed in with this key: this signs you out.</p>}
      <Failure text={error} />
    </Dialog>
  )
}
