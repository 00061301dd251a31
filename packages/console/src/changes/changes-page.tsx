import { useState } from 'preact/hooks'
import { ChangeButtons, FileField } from './change-file-form.js'
import { Jobs } from './jobs.js'
import { JobProgress } from './job-progress.js'
import { FormField } from '../parts/form-field.js'
import { Heading } from '../parts/pieces.js'
import { routeHash, type TableRoute } from '../routes.js'

const HEADER = 'credentialId,list,index,action,reason'

/** Changes the status of many credentials with one file, and shows the job that the address names. */
export function ChangesPage({ route }: { route: TableRoute }) {
  const job = route.search?.job
  const [text, setText] = useState('')
  const [file, setFile] = useState<File>()
  /** of the job that is shown: the table is read again when it changes */
  const [state, setState] = useState<string>()
  const toSend = () => {
    if (file && text.trim() !== '') throw new Error('There are a file and pasted rows: remove one of them.')
    if (file) return file
    if (text.trim() === '') throw new Error('Choose a file, or paste its rows.')
    return text
  }
  const show = (id: string) => {
    window.location.hash = routeHash({ page: 'changes', search: { job: id } })
  }
  return (
    <>
      <Heading title="Mass changes">Mass changes</Heading>
      <details class="card">
        <summary>Change from a file</summary>
        <div class="stack">
          <p class="lead">
            Revoke, suspend or reinstate very many credentials with one file. Each row names a credential that
            was issued here by its id, or an entry of a list by the address of the list and the index.
          </p>
          <FileField file={file} onFile={setFile} />
          <FormField
            label="Or its rows"
            value={text}
            onChange={setText}
            rows={4}
            placeholder={`${HEADER}\nurn:uuid:…,,,revoke,left the company`}
            hint="CSV with a header, or a JSON object in each line"
          />
          <ChangeButtons file={toSend} onBegun={show} />
        </div>
      </details>
      {job !== undefined && <JobProgress id={job} key={job} onState={setState} />}
      <Jobs route={route} key={`jobs ${job} ${state}`} />
    </>
  )
}
