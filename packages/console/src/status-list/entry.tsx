import type { AnswerOf } from '@vidimus/client'
import { useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { FormField } from '../parts/form-field.js'
import { totalOf } from '../parts/paging.js'
import { Facts, Failure, Time } from '../parts/pieces.js'
import { type Loaded, useAction, useLoaded } from '../parts/use-loaded.js'
import { listAddress, type ListName } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { ENTRY_ID } from './change-entry.js'
import type { DecodedList } from './decoded-list.js'
import { entryHistory } from './entry-history.js'
import {
  type Action,
  actionsFor,
  type CheckedEntry,
  entryMeaning,
  type Meaning,
  meaningOfCheck,
} from './entry-meaning.js'
import type { ListLayout } from './list-content.js'
import { useListTypes } from './list-types.js'
import { toneClass } from './tones.js'
import type { Versions } from './use-versions.js'

interface EntryProps {
  name: ListName
  versions: Versions
  /** the version that is shown; undefined if its bits cannot be read here */
  list: DecodedList | undefined
  index: number
  /** whether entries can be changed: the newest version, of a DID of the account */
  own: boolean
  encrypted: boolean
  onAction: (action: Action) => void
}

/** An entry's value, the service's result, the possible actions, and its history. */
export function Entry({ name, versions, list, index, own, encrypted, onAction }: EntryProps) {
  const whyNot = useWhyNot()
  const layout = useLayout(name, list?.layout ?? versions.layout)
  const [chosen, setChosen] = useState<string>()
  const statusPurpose = chosen ?? usualPurpose(name, layout.purposes)
  const mayCheck = whyNot('check-status-list') === undefined
  const check = useCheck(name, { index, statusPurpose, newest: versions.versions[0]?.resourceId })
  const state = stateOf(list, index, versions, check.value)
  const actions = state || !mayCheck ? actionsFor(layout, state?.value ?? 0, state?.tone) : []
  return (
    <div class="stack" id={ENTRY_ID} tabIndex={-1} role="group" aria-label={`Entry ${index}`}>
      {!versions.layout && layout.purposes.length > 1 && (
        <FormField label="Purpose" value={statusPurpose} onChange={setChosen} choices={layout.purposes} />
      )}
      {state && <State {...state} width={list?.layout.statusSize} />}
      <ServiceSays check={check} statusPurpose={statusPurpose} />
      {own && (state !== undefined || !mayCheck) && (
        <Actions
          actions={actions}
          isRevoked={state?.tone === 'revoked'}
          whyNot={whyNot(encrypted ? 'update-encrypted-status-list' : 'update-status-list', name.did)}
          label={`Actions for index ${index}`}
          onAction={onAction}
        />
      )}
      {own && <EntryHolders name={name} index={index} key={index} />}
      {list && <History versions={versions} list={list} index={index} />}
    </div>
  )
}

/** For types with a list for each purpose, the name of the resource shows the purpose. */
const usualPurpose = ({ resourceType }: ListName, purposes: readonly string[]): string =>
  purposes.find((purpose) => resourceType.toLowerCase().endsWith(purpose)) ?? purposes[0] ?? 'revocation'

/** The list's own data; the service's data about its type if the list cannot be read here. */
function useLayout({ listType }: ListName, layout: ListLayout | undefined) {
  const types = useListTypes(layout === undefined)
  if (layout) return layout
  const facts = types.find(({ type }) => type === listType)
  return {
    statusSize: Math.max(1, ...(facts?.statusSizes ?? [2])),
    purposes: facts?.purposes ?? ['revocation', 'suspension'],
    messages: new Map<number, string>(),
  }
}

interface EntryState extends Meaning {
  value: number
}

/** By the bits of the version that is shown, or by the service's result if they cannot be read here. */
function stateOf(
  list: DecodedList | undefined,
  index: number,
  { layout }: Versions,
  checked: CheckedEntry | undefined,
): EntryState | undefined {
  if (list) {
    const value = list.values[index] ?? 0
    return { value, ...entryMeaning(list.layout, value) }
  }
  if (checked?.status === undefined) return undefined
  const { status: value } = checked
  return { value, ...(layout ? entryMeaning(layout, value) : meaningOfCheck(checked)) }
}

/** @param width - in bits, if the bits can be read here */
function State({ text, tone, value, width }: EntryState & { width: number | undefined }) {
  return (
    <p class="state">
      <svg class={`swatch ${toneClass(tone, value)}`} viewBox="0 0 10 10" aria-hidden="true">
        <rect width="10" height="10" rx="2" />
      </svg>
      <strong>{text}</strong>
      {width !== undefined && <span class="mono hint">{value.toString(2).padStart(width, '0')}</span>}
    </p>
  )
}

/** The decisive result: the service has verified the list, and reads its bits itself. */
function useCheck(
  name: ListName,
  { index, statusPurpose, newest }: { index: number; statusPurpose: string; newest: string | undefined },
) {
  const { client } = useSession()
  const { did, listType, statusListName } = name
  return useLoaded(`check ${JSON.stringify(name)} ${statusPurpose} ${index} ${newest}`, () =>
    client.post('/credential-status/check', {
      params: { query: { listType, statusPurpose } },
      body: { did, statusListName, index, makeFeePayment: false },
    }),
  )
}

function ServiceSays({
  check: { value, error },
  statusPurpose,
}: {
  check: Loaded<CheckedEntry>
  statusPurpose: string
}) {
  if (error !== undefined) return <Failure text={error} />
  return (
    <p class="hint">
      Checked by the service just now, for {statusPurpose}:{' '}
      {value ? <strong>{value.valid ? 'valid' : `not valid (value ${value.status})`}</strong> : '…'}
    </p>
  )
}

interface ActionsProps {
  actions: readonly Action[]
  isRevoked: boolean
  whyNot: string | undefined
  label: string
  onAction: (action: Action) => void
}

function Actions({ actions, isRevoked, whyNot, label, onAction }: ActionsProps) {
  if (isRevoked) return <p class="hint">Permanently revoked: it can no longer be changed.</p>
  if (actions.length === 0) return <p class="hint">This console offers no actions for this entry.</p>
  return (
    <>
      <div class="row" role="group" aria-label={label}>
        {actions.map((action) => (
          <ActionButton
            key={action.action}
            class={action.final ? 'grave' : ''}
            whyNot={whyNot}
            onClick={() => onAction(action)}
          >
            {action.label}
          </ActionButton>
        ))}
      </div>
      <Reasons of={[whyNot]} />
    </>
  )
}

function History({
  versions: { read, facts },
  list,
  index,
}: {
  versions: Versions
  list: DecodedList
  index: number
}) {
  const complete = read.length === facts?.total
  const changes = entryHistory(
    read.map(({ resourceId, created, list: { values } }) => ({ resourceId, created, values })),
    index,
    complete,
  )
  return (
    <>
      <h3>History</h3>
      <ol class="history">
        {changes.map(({ resourceId, created, before, after }) => (
          <li key={resourceId}>
            <Time at={created} />
            <span>
              {before === undefined ? 'List created: ' : `${entryMeaning(list.layout, before).text} → `}
              <strong>{entryMeaning(list.layout, after).text}</strong>
            </span>
          </li>
        ))}
      </ol>
      {!complete && (
        <p class="hint">
          Of the newest {read.length} of {facts && totalOf(facts, 'version')}. Older ones are read from the
          time line.
        </p>
      )}
    </>
  )
}

/** The credentials that were issued with an entry, by the register of the account. */
function EntryHolders({ name, index }: { name: ListName; index: number }) {
  const whyNot = useWhyNot()('credential-entries')
  const [asked, setAsked] = useState(false)
  return (
    <>
      <h3>Credentials</h3>
      {asked ? (
        <Holders name={name} index={index} />
      ) : (
        <div class="row">
          <ActionButton whyNot={whyNot} onClick={() => setAsked(true)}>
            Who holds it
          </ActionButton>
        </div>
      )}
      <Reasons of={[whyNot]} />
    </>
  )
}

function Holders({ name, index }: { name: ListName; index: number }) {
  const { client } = useSession()
  const list = listAddress(name)
  const { value, error } = useLoaded(`holders ${list} ${index}`, () =>
    client.get('/credential/entries', { params: { query: { list, index } } }),
  )
  return (
    <div aria-live="polite">
      <Failure text={error} />
      {value?.entries.length === 0 && (
        <p class="hint">No credential in the register of this account has this index.</p>
      )}
      {value?.entries.map(({ credentialHash, issuedAt, expiresAt }) => (
        <Facts
          key={credentialHash}
          of={{
            Issued: <Time at={issuedAt} />,
            Expires: expiresAt ? <Time at={expiresAt} /> : 'never',
          }}
        />
      ))}
      {value && value.entries.length > 0 && <CompareId holders={value.entries} />}
    </div>
  )
}

type Holder = AnswerOf<'/credential/entries', 'get'>['entries'][number]

/** Whether the credential with an id is one of them: only the service can hash an id. */
function CompareId({ holders }: { holders: readonly Holder[] }) {
  const { client } = useSession()
  const [id, setId] = useState('')
  const [outcome, setOutcome] = useState<string>()
  const { run, busy, error } = useAction(async () => {
    setOutcome(undefined)
    const query = { credentialId: id.trim() }
    const { entries } = await client.get('/credential/entries', { params: { query } })
    const isOne = entries.some((entry) => holders.some((holder) => isSameEntry(entry, holder)))
    if (isOne) setOutcome('Yes: the credential with this id has this entry.')
    else setOutcome(entries.length > 0 ? HAS_ANOTHER : IS_UNKNOWN)
  })
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <FormField
        label="Id of a credential"
        value={id}
        onChange={(text) => {
          // The answer about another id would look like its own.
          setOutcome(undefined)
          setId(text)
        }}
        hint="The register knows no ids, but compares one that you know"
      />
      <div class="row">
        <button type="submit" disabled={busy || id.trim() === ''}>
          Compare
        </button>
      </div>
      <Failure text={error} />
      {outcome !== undefined && <p class="note">{outcome}</p>}
    </form>
  )
}

const HAS_ANOTHER = 'No: the credential with this id has another entry.'
const IS_UNKNOWN = 'No: no credential in the register of this account has this id.'

const isSameEntry = (one: Holder, other: Holder): boolean =>
  one.credentialHash === other.credentialHash && one.list === other.list && one.index === other.index
