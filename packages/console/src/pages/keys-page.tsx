import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Reasons } from '../parts/action-button.js'
import { FormField } from '../parts/form-field.js'
import { Facts, Failure, Heading, Section } from '../parts/pieces.js'
import { useAction, useLoaded } from '../parts/use-loaded.js'
import type { Place, Search } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { KeyList } from './key-list.js'

const KEY_TYPES = ['Ed25519', 'Secp256k1', 'Secp256r1', 'X25519'] as const
type KeyType = (typeof KEY_TYPES)[number]

interface Key {
  kid: string
  type: string
  publicKeyHex: string
  kms?: string
  alias?: string
}

/** Key pairs of the account. Their private halves never leave the service. */
export function KeysPage({ search, place }: { search: Search; place: Place }) {
  // The result of a form disappears when another one is sent: after an error it would look like its result.
  const [key, setKey] = useState<Key>()
  const [changes, setChanges] = useState(0)
  const onMade = (made: Key | undefined) => {
    setKey(made)
    if (made) setChanges((n) => n + 1)
  }
  return (
    <>
      <Heading title="Keys">Keys</Heading>
      <p class="lead">
        The service holds key pairs and signs with them. Only their public halves are ever shown. The keys of
        a DID are on its page.
      </p>
      <KeyList search={search} place={place} changes={changes} />
      <div class="columns">
        <CreateKey onKey={onMade} />
        <FindKey onKey={setKey} />
        <ImportKey onKey={onMade} />
      </div>
      {key && <KeyCard value={key} />}
    </>
  )
}

function CreateKey({ onKey }: { onKey: (key: Key | undefined) => void }) {
  const { client, announce } = useSession()
  const [type, setType] = useState<string>('Ed25519')
  const [alias, setAlias] = useState('')
  const [kms, setKms] = useState('')
  const places = useLoaded('kms', async () => (await client.get('/key/kms')).kms).value ?? []
  const usual = places.find(({ isDefault }) => isDefault)
  const chosen = kms === '' ? usual : places.find(({ name }) => name === kms)
  const { run, busy, error } = useAction(async () => {
    onKey(undefined)
    onKey(
      await client.post('/key/create', {
        params: { query: { type: type as KeyType } },
        body: { ...(alias !== '' && { alias }), ...(kms !== '' && { kms }) },
      }),
    )
    announce('The key pair was created.')
  })
  return (
    <KeyForm
      operation="key-create"
      title="Create a key pair"
      submit="Create"
      busy={busy}
      error={error}
      onSubmit={run}
    >
      <FormField
        label="Type"
        value={type}
        onChange={setType}
        choices={KEY_TYPES.filter((one) => chosen?.keyTypes?.includes(one) ?? true)}
      />
      {places.length > 1 && (
        <FormField
          label="Made in"
          value={kms}
          onChange={setKms}
          choices={places.map(({ name }) => name)}
          none={usual ? `${usual.name} (default)` : 'the default'}
        />
      )}
      <FormField label="Label" value={alias} onChange={setAlias} hint="Optional, unique within the account" />
    </KeyForm>
  )
}

function FindKey({ onKey }: { onKey: (key: Key | undefined) => void }) {
  const { client } = useSession()
  const [kid, setKid] = useState('')
  const { run, busy, error } = useAction(async () => {
    onKey(undefined)
    onKey(await client.get('/key/read/{kid}', { params: { path: { kid: kid.trim() } } }))
  })
  return (
    <KeyForm operation="key-read" title="Find a key" submit="Find" busy={busy} error={error} onSubmit={run}>
      <FormField label="Id of the key (kid)" value={kid} onChange={setKid} required />
    </KeyForm>
  )
}

function ImportKey({ onKey }: { onKey: (key: Key | undefined) => void }) {
  const { client, announce } = useSession()
  const [type, setType] = useState<string>('Ed25519')
  const [alias, setAlias] = useState('')
  const [privateKeyHex, setPrivateKeyHex] = useState('')
  const { run, busy, error } = useAction(async () => {
    onKey(undefined)
    const body = {
      type: type as KeyType,
      privateKeyHex: privateKeyHex.trim(),
      ...(alias !== '' && { alias }),
    }
    onKey(await client.post('/key/import', { body }))
    setPrivateKeyHex('')
    announce('The key pair was imported.')
  })
  return (
    <KeyForm
      operation="key-import"
      title="Import a key pair"
      submit="Import"
      busy={busy}
      error={error}
      onSubmit={run}
    >
      <FormField label="Type" value={type} onChange={setType} choices={KEY_TYPES} />
      <FormField
        label="Private key (hex)"
        type="password"
        value={privateKeyHex}
        onChange={setPrivateKeyHex}
        required
      />
      <FormField label="Label" value={alias} onChange={setAlias} hint="Optional" />
    </KeyForm>
  )
}

function KeyForm({
  operation,
  title,
  submit,
  busy,
  error,
  onSubmit,
  children,
}: {
  operation: string
  title: string
  submit: string
  busy: boolean
  error: string | undefined
  onSubmit: () => void
  children: ComponentChildren
}) {
  const whyNot = useWhyNot()(operation)
  const off = busy || whyNot !== undefined
  return (
    <Section title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!off) onSubmit()
        }}
      >
        {children}
        <Failure text={error} />
        <Reasons of={[whyNot]} />
        <button type="submit" aria-disabled={off} title={whyNot}>
          {busy ? 'Working …' : submit}
        </button>
      </form>
    </Section>
  )
}

function KeyCard({ value }: { value: Key }) {
  const { kid, type, publicKeyHex, kms, alias } = value
  const rows = { Id: kid, Type: type, 'Public key': publicKeyHex, 'Held by': kms, Label: alias }
  return (
    <Section title="Key">
      <Facts of={rows} exact />
    </Section>
  )
}
