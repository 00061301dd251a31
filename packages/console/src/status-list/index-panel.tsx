import { useEffect, useState } from 'preact/hooks'
import { FormField } from '../parts/form-field.js'
import { Failure, Section, Time } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import type { ListName } from '../routes.js'
import { useSession } from '../session.js'
import { ChangeEntry, ENTRY_ID } from './change-entry.js'
import type { DecodedList } from './decoded-list.js'
import { historyOf } from './entry-history.js'
import { actionsFor, meaningOf, type Action } from './entry-meaning.js'
import { toneClass } from './tones.js'
import type { Versions } from './use-versions.js'

interface IndexPanelProps {
  name: ListName
  versions: Versions
  /** the version that is shown; undefined where its bits cannot be read here */
  list: DecodedList | undefined
  index: number | undefined
  onIndex: (index: number) => void
  /** whether entries can be changed: the newest version, of a DID of the account */
  own: boolean
}

/** One entry: what it says, what the service says of it, what can be done, and how it came to be. */
export function IndexPanel(props: IndexPanelProps) {
  const { name, versions, list, index, onIndex, own } = props
  const [action, setAction] = useState<Action>()
  return (
    <Section title="Entry">
      <IndexForm index={index} entries={list?.values.length} onIndex={onIndex} />
      {index === undefined ? (
        <p class="hint">Click an entry of the bitmap, or type its index.</p>
      ) : (
        <div class="stack" id={ENTRY_ID} tabIndex={-1} role="group" aria-label={`Entry ${index}`}>
          {list && <State list={list} index={index} />}
          <ServiceSays name={name} list={list} index={index} newest={versions.versions[0]?.resourceId} />
          {own && <Actions list={list} index={index} onAction={setAction} />}
          {list && <History versions={versions} list={list} index={index} />}
        </div>
      )}
      {action && index !== undefined && (
        <ChangeEntry
          name={name}
          index={index}
          action={action}
          encrypted={versions.unreadable === 'encrypted'}
          onClose={() => setAction(undefined)}
          onChanged={versions.reload}
        />
      )}
    </Section>
  )
}

function IndexForm({
  index,
  entries,
  onIndex,
}: {
  index: number | undefined
  entries: number | undefined
  onIndex: (index: number) => void
}) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (index !== undefined) setText(String(index))
    setProblem(undefined)
  }, [index])
  const submit = () => {
    const wanted = Number(text)
    const last = entries === undefined ? Number.MAX_SAFE_INTEGER : entries - 1
    if (!/^\d+$/.test(text.trim()) || wanted > last) {
      setProblem(
        entries === undefined ? 'Has to be a whole number' : `Has to be a whole number from 0 to ${last}`,
      )
    } else onIndex(wanted)
  }
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <FormField label="Index" type="number" value={text} onChange={setText} problem={problem} />
      <button type="submit">Show</button>
    </form>
  )
}

function State({ list: { layout, values }, index }: { list: DecodedList; index: number }) {
  const value = values[index] ?? 0
  const { text, tone } = meaningOf(layout, value)
  return (
    <p class="state">
      <svg class={`swatch ${toneClass(tone, value)}`} viewBox="0 0 10 10" aria-hidden="true">
        <rect width="10" height="10" rx="2" />
      </svg>
      <strong>{text}</strong>
      <span class="mono hint">{value.toString(2).padStart(layout.statusSize, '0')}</span>
    </p>
  )
}

/** What counts: the service has verified the list, and reads its bits itself. */
function ServiceSays({
  name,
  list,
  index,
  newest,
}: {
  name: ListName
  list: DecodedList | undefined
  index: number
  newest: string | undefined
}) {
  const { client } = useSession()
  const { did, listType, statusListName, resourceType } = name
  const statusPurpose =
    list?.layout.purposes[0] ?? (resourceType.includes('Suspension') ? 'suspension' : 'revocation')
  const { value, error } = useLoaded(`check ${JSON.stringify(name)} ${index} ${newest}`, () =>
    client.post('/credential-status/check', {
      params: { query: { listType, statusPurpose } },
      body: { did, statusListName, index, makeFeePayment: false },
    }),
  )
  if (error !== undefined) return <Failure text={error} />
  return (
    <p class="hint">
      Checked by the service now, for {statusPurpose}:{' '}
      {value ? <strong>{value.valid ? 'valid' : `not valid (value ${value.status})`}</strong> : '…'}
    </p>
  )
}

function Actions({
  list,
  index,
  onAction,
}: {
  list: DecodedList | undefined
  index: number
  onAction: (action: Action) => void
}) {
  const value = list?.values[index] ?? 0
  const layout = list?.layout ?? {
    statusSize: 2,
    order: 'msb' as const,
    purposes: ['revocation', 'suspension'],
    messages: new Map<number, string>(),
    encrypted: true,
  }
  const actions = actionsFor(layout, value)
  if (actions.length === 0) return <p class="hint">Revoked for good: nothing can be done with it any more.</p>
  return (
    <div class="row" role="group" aria-label={`Actions for index ${index}`}>
      {actions.map((action) => (
        <button
          key={action.action}
          type="button"
          class={action.final ? 'grave' : ''}
          onClick={() => onAction(action)}
        >
          {action.label}
        </button>
      ))}
    </div>
  )
}

function History({
  versions: { read, total },
  list,
  index,
}: {
  versions: Versions
  list: DecodedList
  index: number
}) {
  const complete = read.length === total
  const changes = historyOf(
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
              {before === undefined ? 'List created: ' : `${meaningOf(list.layout, before).text} → `}
              <strong>{meaningOf(list.layout, after).text}</strong>
            </span>
          </li>
        ))}
      </ol>
      {!complete && (
        <p class="hint">
          Of the newest {read.length} of {total} versions. Older ones are read from the time line.
        </p>
      )}
    </>
  )
}
