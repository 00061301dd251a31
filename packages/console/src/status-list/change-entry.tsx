import { useRef, useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { Failure } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import type { ListName } from '../routes.js'
import { cheqdNetwork } from '../rights.js'
import { useSession } from '../session.js'
import type { Action } from './entry-meaning.js'

/** The element that describes the entry, for the focus. */
export const ENTRY_ID = 'entry'

interface ChangeEntryProps {
  name: ListName
  index: number
  action: Action
  encrypted: boolean
  onClose: () => void
  onChanged: () => void
}

/** Asks once more before an entry is changed, and changes it. */
export function ChangeEntry({ name, index, action, encrypted, onClose, onChanged }: ChangeEntryProps) {
  const { client, announce, localNetworks } = useSession()
  const { did, listType, statusListName } = name
  const isLocal = localNetworks.includes(cheqdNetwork(did) ?? '')
  const [version, setVersion] = useState('')
  const done = useRef(false)
  const { run, busy, error } = useAction(async () => {
    const request = {
      params: { query: { listType, statusAction: action.action } },
      body: {
        did,
        statusListName,
        indices: [index],
        ...(version.trim() !== '' && { statusListVersion: version.trim() }),
      },
    }
    const { changed, visibleFrom } = encrypted
      ? await client.post('/credential-status/update/encrypted', request)
      : await client.post('/credential-status/update/unencrypted', request)
    done.current = true
    onClose()
    onChanged()
    announce(outcomeText(index, changed.length > 0, visibleFrom))
  })
  return (
    <Dialog
      title={`${action.label}: index ${index}`}
      submit={action.label}
      grave={action.final}
      busy={busy}
      onClose={onClose}
      // the button that opened it is about to go
      focusAfter={() => (done.current ? document.getElementById(ENTRY_ID) : null)}
      onSubmit={run}
    >
      <p>
        In the list <strong>{statusListName}</strong> of <span class="mono wrap">{did}</span>. A new version
        of the list is published for every verifier to see{isLocal && ' that asks this service'}: now, or at
        the next interval of the list.
      </p>
      {action.final && <p class="note failure">Revocation is permanent and cannot be undone.</p>}
      <FormField
        label="Name of the new version"
        value={version}
        onChange={setVersion}
        hint="Optional; at most 64 bytes. A named version is published at once"
      />
      <Failure text={error} />
    </Dialog>
  )
}

function outcomeText(index: number, isChanged: boolean, visibleFrom: string | undefined): string {
  if (visibleFrom !== undefined)
    return `Index ${index} changed; verifiers see it from ${visibleFrom.slice(0, 19).replace('T', ' ')} UTC.`
  return isChanged
    ? `Index ${index} changed; a new version is published.`
    : `Index ${index} already has this status.`
}
