import { useState } from 'preact/hooks'
import { shownOnce } from '../account/shown-once.js'
import { Dialog } from '../parts/dialog.js'
import { Choices, FormField } from '../parts/form-field.js'
import type { DialogParts } from '../parts/list-page.js'
import { counted, Failure, Time } from '../parts/pieces.js'
import { useAction, useLoaded } from '../parts/use-loaded.js'
import { useSession } from '../session.js'

const WITH_KEY = 'Create its first API key, which is shown once'

export function CreateAccount({ onClose, onDone }: DialogParts) {
  const { client, announce } = useSession()
  const [name, setName] = useState('')
  const [options, setOptions] = useState<readonly string[]>([WITH_KEY])
  const { run, busy, error } = useAction(async () => {
    const withKey = options.includes(WITH_KEY)
    const { account, firstKey } = await client.post('/operator/accounts', {
      body: { name: name.trim(), ...(withKey && { firstKey: { name: `${name.trim()}, first key` } }) },
    })
    onClose()
    announce(`The account ${account.name} was created.`)
    onDone(
      firstKey &&
        shownOnce({
          title: `First API key of ${account.name}`,
          hint: 'Give this API key to the tenant. It may do everything in the account.',
          secret: firstKey.apiKey,
        }),
    )
  })
  return (
    <Dialog title="Create an account" submit="Create" busy={busy} onClose={onClose} onSubmit={run}>
      <FormField
        label="Name"
        value={name}
        onChange={setName}
        required
        hint="Letters, digits, spaces or any of `. _ @ -`; it cannot be changed"
      />
      <Choices
        legend="API key"
        hint="Without it, nobody can use the account until the command line creates a key."
        of={[WITH_KEY]}
        chosen={options}
        onChange={setOptions}
      />
      <Failure text={error} />
    </Dialog>
  )
}

/** Shows what the account contains, and deletes it after its name is typed. */
export function DeleteAccount({ name, onClose, onDone }: DialogParts & { name: string }) {
  const { client, announce } = useSession()
  const [typed, setTyped] = useState('')
  const path = { name }
  const look = useLoaded(`contents of ${name}`, () =>
    client.delete('/operator/accounts/{name}', { params: { path, query: { dryRun: true } } }),
  )
  const { run, busy, error } = useAction(async () => {
    if (typed !== name) throw new Error(`Type “${name}” to confirm.`)
    const { deleted } = await client.delete('/operator/accounts/{name}', { params: { path } })
    onClose()
    announce(deleted ? `The account ${name} is deleted.` : `The account ${name} is being deleted.`)
    onDone()
  })
  const { contents = [], lists = [], listsAreAll } = look.value ?? {}
  return (
    <Dialog
      title={`Delete ${name}`}
      submit="Delete"
      grave
      busy={busy || look.loading}
      onClose={onClose}
      onSubmit={run}
    >
      {look.loading && <p class="hint">Checking what the account contains …</p>}
      {look.value && (
        <>
          <p>
            This cannot be undone. DID documents and status lists stay on their ledgers, but nobody here can
            change them any more.
          </p>
          <ul aria-label="What would end">
            {contents.map(({ name: what, rows, fate }) => (
              <li key={what}>
                {rows.toLocaleString('en')} {what}: {fate}
              </li>
            ))}
            {contents.length === 0 && <li>The account is empty.</li>}
          </ul>
          {lists.length > 0 && (
            <>
              <p class="note failure">
                {counted(lists.length, 'list expires', 'lists expire')}
                {listsAreAll === false && ' or more'}, and nobody will be able to sign{' '}
                {lists.length === 1 ? 'it' : 'them'} again:
              </p>
              <ul aria-label="Lists that expire">
                {lists.slice(0, MOST_NAMED).map(({ did, statusListName, validUntil }) => (
                  <li key={`${did} ${statusListName}`} class="wrap">
                    {statusListName} of <span class="mono">{did}</span>, <Time at={validUntil} />
                  </li>
                ))}
              </ul>
            </>
          )}
          <FormField label={`Type “${name}” to confirm`} value={typed} onChange={setTyped} required />
        </>
      )}
      <Failure text={error ?? look.error} />
    </Dialog>
  )
}

/** Most lists that the dialog names. */
const MOST_NAMED = 10
