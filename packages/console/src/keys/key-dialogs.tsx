import type { AnswerOf } from '@vidimus/client'
import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import type { DialogParts } from '../parts/list-page.js'
import { Failure } from '../parts/pieces.js'
import { useAction, useLoaded } from '../parts/use-loaded.js'
import { routeHash } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'

/** A key pair as the service lists it. */
export type ListedKey = AnswerOf<'/key/list', 'get'>['keys'][number]

type KeyDialogProps = DialogParts & { of: ListedKey }

const keyLabel = ({ alias, kid }: ListedKey): string => alias ?? kid

export function RenameKey({ of: key, onClose, onDone }: KeyDialogProps) {
  const { client, announce } = useSession()
  const [alias, setAlias] = useState(key.alias ?? '')
  const { run, busy, error } = useAction(async () => {
    await client.post('/key/update', { body: { kid: key.kid, alias: alias.trim() } })
    onClose()
    announce('The label was changed.')
    onDone()
  })
  return (
    <Dialog title="Rename a key" submit="Rename" busy={busy} onClose={onClose} onSubmit={run}>
      <p class="mono wrap">{key.kid}</p>
      <FormField
        label="Label"
        value={alias}
        onChange={setAlias}
        hint="Unique within the account; empty: none. The id of the key stays."
      />
      <Failure text={error} />
    </Dialog>
  )
}

/** Most DIDs that the dialog names. */
const MOST_NAMED = 5
const CONFIRMATION = 'delete'

/** Shows the DIDs that need the key, and deletes it only if none does. */
export function DeleteKey({ of: key, onClose, onDone }: KeyDialogProps) {
  const { client, announce } = useSession()
  const mayNotAsk = useWhyNot()('did-list')
  const [typed, setTyped] = useState('')
  const uses = useLoaded(`dids of ${key.kid}`, async () => {
    if (mayNotAsk) return undefined
    return client.get('/did/list', { params: { query: { key: key.kid, limit: MOST_NAMED } } })
  })
  const dids = (uses.value?.dids ?? []).map((one) => (typeof one === 'string' ? one : one.did))
  const isNeeded = dids.length > 0
  const { run, busy, error } = useAction(async () => {
    if (isNeeded) return onClose()
    if (typed.trim() !== CONFIRMATION) throw new Error(`Type “${CONFIRMATION}” to confirm.`)
    await client.delete('/key/{kid}', { params: { path: { kid: key.kid } } })
    onClose()
    announce('The key was deleted.')
    onDone()
  })
  return (
    <Dialog
      title={`Delete ${keyLabel(key)}`}
      submit={isNeeded ? 'Close' : 'Delete'}
      grave={!isNeeded}
      busy={busy || uses.loading}
      onClose={onClose}
      onSubmit={run}
    >
      {uses.loading && <p class="hint">Checking which DIDs need it …</p>}
      {isNeeded ? (
        <>
          <p class="note failure">
            The key cannot be deleted: {uses.value?.total === 1 ? 'a DID needs it' : 'DIDs need it'}. Rotate
            the key of the DID, or remove the key from its document, first.
          </p>
          <ul>
            {dids.map((did) => (
              <li key={did}>
                <a class="mono wrap" href={routeHash({ page: 'did', did })}>
                  {did}
                </a>
              </li>
            ))}
          </ul>
          {(uses.value?.total ?? 0) > dids.length && (
            <p class="hint">And others: {uses.value?.total} in all.</p>
          )}
        </>
      ) : (
        !uses.loading && (
          <>
            <p>
              {mayNotAsk === undefined && 'No DID of the account needs this key. '}
              Its private half is deleted with it, permanently: nobody can sign with it or decrypt for it any
              more.
            </p>
            <FormField
              label={`Type “${CONFIRMATION}” to confirm`}
              value={typed}
              onChange={setTyped}
              required
            />
          </>
        )
      )}
      <Failure text={error ?? uses.error} />
    </Dialog>
  )
}
