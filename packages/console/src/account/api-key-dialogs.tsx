import type { AnswerOf } from '@vidimus/client'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { Choices, FormField } from '../parts/form-field.js'
import type { DialogParts } from '../parts/list-page.js'
import { Failure } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { OPERATOR, type ApiDocument, type KeyLimits } from '../rights.js'
import { useSession } from '../session.js'
import { shownOnce } from './shown-once.js'

/** An API key of the account, as the service lists it. */
export type ApiKey = AnswerOf<'/account/api-keys', 'get'>['apiKeys'][number]

/** The name shown for a key. */
export const labelOf = ({ name, shown }: Pick<ApiKey, 'name' | 'shown'>): string => name ?? shown

const isOver = ({ expiresAt }: ApiKey, now: Date) =>
  expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime()

/** Whether the service still accepts it. */
export const isWorking = (key: ApiKey, now: Date): boolean => key.revokedAt === undefined && !isOver(key, now)

export function keyState(key: ApiKey, now: Date): string {
  if (key.revokedAt !== undefined) return 'revoked'
  if (isOver(key, now)) return key.rotatedTo === undefined ? 'expired' : 'rotated'
  return key.rotatedTo === undefined ? 'in use' : 'rotated, still accepted'
}

const shownKey = (created: Pick<ApiKey, 'name' | 'shown'> & { apiKey: string }) =>
  shownOnce({
    title: `API key ${labelOf(created)}`,
    hint: 'Store this API key where its program reads it.',
    secret: created.apiKey,
  })

const NETWORKS = ['testnet', 'mainnet'] as const
type Network = (typeof NETWORKS)[number]

export function CreateApiKey({ onClose, onDone }: DialogParts) {
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
    onDone(shownKey(created))
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

export function RotateApiKey({ apiKey, onClose, onDone }: DialogParts & { apiKey: ApiKey }) {
  const { client, announce } = useSession()
  const [overlap, setOverlap] = useState('a day')
  const { run, busy, error } = useAction(async () => {
    const { created } = await client.post('/account/api-keys/{id}/rotate', {
      params: { path: { id: apiKey.id } },
      body: { overlapSeconds: OVERLAPS[overlap] ?? 0 },
    })
    onClose()
    announce('The API key was rotated.')
    onDone(shownKey(created))
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

/**
 * The groups of operations that a new API key can be limited to, by the API document; of a limited key only its own
 * scopes, which may also be single operations.
 */
export function grantableScopes({ paths }: ApiDocument, { scopes: own }: KeyLimits): string[] {
  if (own) return own.filter((scope) => scope !== OPERATOR)
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const ids = new Set(operations.map(({ operationId }) => operationId))
  const scopes = operations.flatMap((operation) => operation['x-scopes'] ?? [])
  // Agent methods are in camel case; no group is.
  const groups = scopes.filter((scope) => !ids.has(scope) && !/[A-Z]/.test(scope))
  return [...new Set(groups)].filter((scope) => scope !== OPERATOR)
}
