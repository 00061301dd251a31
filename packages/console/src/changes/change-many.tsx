import { useState } from 'preact/hooks'
import { FormField } from '../parts/form-field.js'
import { Section } from '../parts/pieces.js'
import type { ListName } from '../routes.js'
import { actionsFor } from '../status-list/entry-meaning.js'
import type { ListLayout } from '../status-list/list-content.js'
import { ChangeButtons } from './change-file-form.js'
import { rowsOfList } from './change-rows.js'
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
