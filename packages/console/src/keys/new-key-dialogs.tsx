import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import type { DialogParts, Result } from '../parts/list-page.js'
import { Facts, Failure, ShownResult } from '../parts/pieces.js'
import { useAction, useLoaded } from '../parts/use-loaded.js'
import { useSession } from '../session.js'

const KEY_TYPES = ['Ed25519', 'Secp256k1', 'Secp256r1', 'X25519'] as const
type KeyType = (typeof KEY_TYPES)[number]

interface Key {
  kid: string
  type: string
  publicKeyHex: string
  kms?: string
  alias?: string
}

const shownKey =
  ({ kid, type, publicKeyHex, kms, alias }: Key): Result =>
  (onClose) => (
    <ShownResult title="Key" close="Close" onClose={onClose}>
      <Facts of={{ Id: kid, Type: type, 'Public key': publicKeyHex, 'Key store': kms, Label: alias }} exact />
    </ShownResult>
  )

/** Ends a dialog with the key that it created or found. */
function useKey({ onClose, onDone }: DialogParts, work: () => Promise<Key>, announcement: string) {
  const { announce } = useSession()
  return useAction(async () => {
    const key = await work()
    onClose()
    announce(announcement)
    onDone(shownKey(key))
  })
}

export function CreateKey(parts: DialogParts) {
  const { client } = useSession()
  const [type, setType] = useState<string>('Ed25519')
  const [alias, setAlias] = useState('')
  const [kms, setKms] = useState('')
  const stores = useLoaded('kms', async () => (await client.get('/key/kms')).kms).value ?? []
  const usual = stores.find(({ isDefault }) => isDefault)
  const chosen = kms === '' ? usual : stores.find(({ name }) => name === kms)
  const body = { ...(alias !== '' && { alias }), ...(kms !== '' && { kms }) }
  const { run, busy, error } = useKey(
    parts,
    () => client.post('/key/create', { params: { query: { type: type as KeyType } }, body }),
    'The key pair was created.',
  )
  return (
    <Dialog title="Create a key pair" submit="Create" busy={busy} onClose={parts.onClose} onSubmit={run}>
      <FormField
        label="Type"
        value={type}
        onChange={setType}
        choices={KEY_TYPES.filter((one) => chosen?.keyTypes?.includes(one) ?? true)}
      />
      {stores.length > 1 && (
        <FormField
          label="Key store"
          value={kms}
          onChange={setKms}
          choices={stores.map(({ name }) => name)}
          none={usual ? `${usual.name} (default)` : 'the default'}
        />
      )}
      <FormField label="Label" value={alias} onChange={setAlias} hint="Optional, unique within the account" />
      <Failure text={error} />
    </Dialog>
  )
}

export function FindKey(parts: DialogParts) {
  const { client } = useSession()
  const [kid, setKid] = useState('')
  const { run, busy, error } = useKey(
    parts,
    () => client.get('/key/read/{kid}', { params: { path: { kid: kid.trim() } } }),
    'The key was found.',
  )
  return (
    <Dialog title="Find a key" submit="Find" busy={busy} onClose={parts.onClose} onSubmit={run}>
      <FormField label="Id of the key (kid)" value={kid} onChange={setKid} required />
      <Failure text={error} />
    </Dialog>
  )
}

export function ImportKey(parts: DialogParts) {
  const { client } = useSession()
  const [type, setType] = useState<string>('Ed25519')
  const [alias, setAlias] = useState('')
  const [privateKeyHex, setPrivateKeyHex] = useState('')
  const key = { type: type as KeyType, privateKeyHex: privateKeyHex.trim() }
  const { run, busy, error } = useKey(
    parts,
    () => client.post('/key/import', { body: { ...key, ...(alias !== '' && { alias }) } }),
    'The key pair was imported.',
  )
  return (
    <Dialog title="Import a key pair" submit="Import" busy={busy} onClose={parts.onClose} onSubmit={run}>
      <FormField label="Type" value={type} onChange={setType} choices={KEY_TYPES} />
      <FormField
        label="Private key (hex)"
        type="password"
        value={privateKeyHex}
        onChange={setPrivateKeyHex}
        required
      />
      <FormField label="Label" value={alias} onChange={setAlias} hint="Optional, unique within the account" />
      <Failure text={error} />
    </Dialog>
  )
}
