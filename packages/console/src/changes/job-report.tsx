import { useState } from 'preact/hooks'
import { Failure, Table } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { useSession } from '../session.js'

const PAGE = 100

/** The refused rows of a job, with the reason. @param refused - how many there are so far */
export function JobReport({ id, refused }: { id: string; refused: number }) {
  const { client } = useSession()
  const [pages, setPages] = useState<string[]>([])
  const after = pages.at(-1)
  const { value, error } = useLoaded(`report ${id} ${after ?? refused}`, () =>
    client.get('/credential-status/jobs/{id}/report', {
      params: { path: { id }, query: { limit: PAGE, ...(after !== undefined && { after }) } },
    }),
  )
  const { next } = value ?? {}
  return (
    <>
      <Failure text={error} />
      {value && (
        <Table
          caption="Refused rows"
          head={['Line', 'Code', 'Why']}
          rows={value.refused.map(({ line, reason, message }) => ({
            key: `${line} ${reason}`,
            cells: [line.toLocaleString('en'), <span class="mono wrap">{reason}</span>, message],
          }))}
        />
      )}
      <div class="row">
        {pages.length > 0 && (
          <button type="button" onClick={() => setPages(pages.slice(0, -1))}>
            Back
          </button>
        )}
        {next !== undefined && (
          <button type="button" onClick={() => setPages([...pages, next])}>
            Next
          </button>
        )}
      </div>
    </>
  )
}
