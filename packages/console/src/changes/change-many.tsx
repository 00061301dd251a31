import { useState } from 'preact/hooks'
import { FormField } from '../parts/form-field.js'
import { Section } from '../parts/pieces.js'
import { listAddress, type ListName } from '../routes.js'
import { actionsFor } from '../status-list/entry-meaning.js'
import type { ListLayout } from '../status-list/list-content.js'
import { ChangeButtons } from './change-file-form.js'
import { JobProgress } from './job-progress.js'

/** Any value that is neither 0 nor final: then all actions are offered. */
const SOME_VALUE = -1

/** Changes many entries of one list. */
export function ChangeMany({ name, layout }: { name: ListName; layout: ListLayout }) {
  const actions = actionsFor(layout, SOME_VALUE, 'other')
  const [action, setAction] = useState(actions[0]?.action ?? 'revoke')
  const [indices, setIndices] = useState('')
  const [job, setJob] = useState<string>()
  return (
    <>
      <Section title="Change many entries">
        <FormField
          label="Indices"
          value={indices}
          onChange={setIndices}
          rows={3}
          placeholder="17, 23, 100-120"
          hint="Separated by commas, spaces or lines; `100-120` is a range"
        />
        <FormField
          label="Action"
          value={action}
          onChange={setAction}
          choices={actions.map((one) => one.action)}
        />
        <ChangeButtons file={() => rowsOfList(name, indices, action)} onBegun={setJob} />
      </Section>
      {job !== undefined && <JobProgress id={job} key={job} />}
    </>
  )
}

/** Largest number of typed indices; more need a file. */
const MOST_ROWS = 1_000_000

/**
 * The file of a mass change for indices of one list.
 *
 * @param indices - numbers and ranges, separated by commas, semicolons or white space
 * @throws Error with a message for people
 */
export function rowsOfList(name: ListName, indices: string, action: string): string {
  const words = indices.split(/[\s,;]+/).filter((word) => word !== '')
  if (words.length === 0) throw new Error('Type the indices of the entries first.')
  const wrong = words.filter((word) => !/^\d{1,15}(?:-\d{1,15})?$/.test(word))
  if (wrong.length > 0) throw new Error(`Not an index, and not a range: ${wrong.slice(0, 5).join(', ')}`)
  // A DID URL has neither quotes nor line breaks, but it may have commas.
  const address = `"${listAddress(name)}"`
  const rows = ['list,index,action']
  for (const word of words) {
    const [first = 0, last = first] = word.split('-').map(Number)
    if (last < first) throw new Error(`The range ends before it begins: ${word}`)
    if (rows.length + last - first > MOST_ROWS) {
      throw new Error(`These are more than ${MOST_ROWS.toLocaleString('en')} indices; send a file instead.`)
    }
    for (let index = first; index <= last; index++) rows.push(`${address},${index},${action}`)
  }
  return `${rows.join('\n')}\n`
}
