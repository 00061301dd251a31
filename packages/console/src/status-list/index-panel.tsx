import { useEffect, useState } from 'preact/hooks'
import { FormField } from '../parts/form-field.js'
import { Section } from '../parts/pieces.js'
import type { ListName } from '../routes.js'
import { ChangeEntry } from './change-entry.js'
import type { DecodedList } from './decoded-list.js'
import { Entry } from './entry.js'
import type { Action } from './entry-meaning.js'
import type { Versions } from './use-versions.js'

interface IndexPanelProps {
  name: ListName
  versions: Versions
  /** the version that is shown; undefined if its bits cannot be read here */
  list: DecodedList | undefined
  index: number | undefined
  /** @param index - undefined: the input is not an index */
  onIndex: (index: number | undefined) => void
  /** whether entries can be changed: the newest version, of a DID of the account */
  own: boolean
}

/** One entry, chosen by its index. */
export function IndexPanel(props: IndexPanelProps) {
  const { name, versions, list, index, onIndex } = props
  const [action, setAction] = useState<Action>()
  const encrypted = versions.unreadable === 'encrypted'
  return (
    <Section title="Entry">
      <IndexForm index={index} entries={list?.values.length} onIndex={onIndex} />
      {index === undefined ? (
        <p class="hint">
          {list ? 'Click an entry of the bitmap, or type its index.' : 'Type the index of an entry.'}
        </p>
      ) : (
        <Entry {...props} index={index} encrypted={encrypted} onAction={setAction} />
      )}
      {action && index !== undefined && (
        <ChangeEntry
          name={name}
          index={index}
          action={action}
          encrypted={encrypted}
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
  onIndex: (index: number | undefined) => void
}) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    if (index === undefined) return
    setText(String(index))
    setProblem(undefined)
  }, [index])
  const submit = () => {
    const wanted = text.trim()
    const last = entries === undefined ? Number.MAX_SAFE_INTEGER : entries - 1
    if (/^\d+$/.test(wanted) && Number(wanted) <= last) {
      setProblem(undefined)
      return onIndex(Number(wanted))
    }
    setProblem(entries === undefined ? 'Must be a whole number' : `Must be a whole number from 0 to ${last}`)
    // The previous entry would look like the requested one.
    onIndex(undefined)
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
