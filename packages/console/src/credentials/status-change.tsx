import { useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { Failure } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'
import { readCredential } from './written-credential.js'

const ACTIONS = {
  revoke: { label: 'Revoke', operation: 'credential-revoke', done: 'revoked' },
  suspend: { label: 'Suspend', operation: 'credential-suspend', done: 'suspended' },
  reinstate: { label: 'Reinstate', operation: 'credential-reinstate', done: 'reinstated' },
} as const
type Action = keyof typeof ACTIONS

/** Buttons that change the status of the credential in a field. */
export function StatusChanges({ text, onChanged }: { text: string; onChanged: (outcome: string) => void }) {
  const whyNot = useWhyNot()
  const [action, setAction] = useState<Action>()
  const named = readCredential(text)
  const unclear = 'problem' in named ? named.problem : undefined
  const names = Object.keys(ACTIONS) as Action[]
  return (
    <>
      {names.map((name) => (
        <ActionButton
          key={name}
          whyNot={whyNot(ACTIONS[name].operation) ?? unclear}
          onClick={() => setAction(name)}
        >
          {ACTIONS[name].label}
        </ActionButton>
      ))}
      <Reasons of={names.map((name) => whyNot(ACTIONS[name].operation))} />
      {action && (
        <ChangeStatus
          text={text}
          action={action}
          onClose={() => setAction(undefined)}
          onChanged={onChanged}
        />
      )}
    </>
  )
}

interface ChangeStatusProps {
  text: string
  action: Action
  onClose: () => void
  onChanged: (outcome: string) => void
}

function ChangeStatus({ text, action, onClose, onChanged }: ChangeStatusProps) {
  const { client, announce } = useSession()
  const { label, done } = ACTIONS[action]
  const [listType, setListType] = useState('')
  const { run, busy, error } = useAction(async () => {
    const named = readCredential(text)
    if ('problem' in named) throw new Error(named.problem)
    const type = listType.trim()
    const { statusListName, index, changed, visibleFrom } = await client.post(`/credential/${action}`, {
      params: { query: { ...(type !== '' && { listType: type }) } },
      body: named,
    })
    const place = `index ${index.toLocaleString('en')} of the list ${statusListName}`
    const isNews = changed.length > 0 || visibleFrom !== undefined
    const when = visibleFrom === undefined ? '' : `; verifiers see it from ${visibleFrom.slice(0, 19)} UTC`
    const outcome = isNews
      ? `The credential is ${done}: ${place}${when}.`
      : `It was ${done} before: ${place}.`
    onClose()
    announce(outcome)
    onChanged(outcome)
  })
  return (
    <Dialog
      title={`${label} the credential`}
      submit={label}
      grave={action === 'revoke'}
      busy={busy}
      onClose={onClose}
      onSubmit={run}
    >
      <p>
        The entry of the credential in its status list is changed, for every verifier to see. The list must
        belong to this account.
      </p>
      {action === 'revoke' && <p class="note failure">Revocation is permanent and cannot be undone.</p>}
      <FormField
        label="List type"
        value={listType}
        onChange={setListType}
        hint="Only if the credential has entries in lists of several types"
      />
      <Failure text={error} />
    </Dialog>
  )
}
