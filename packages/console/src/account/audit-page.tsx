import type { AnswerOf } from '@vidimus/client'
import { useEffect, useState } from 'preact/hooks'
import { ListPage } from '../parts/list-page.js'
import { Failure, Time } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { routeHash, type Search, type TableRoute } from '../routes.js'
import { useSession } from '../session.js'

type AuditAnswer = Exclude<AnswerOf<'/account/audit', 'get'>, string>
type AuditedEvent = AuditAnswer['entries'][number]

/** Entries of a file, at most. */
export const MOST_EXPORTED = 100_000

/** Who did what in the account, and when. */
export function AuditPage({ route }: { route: TableRoute }) {
  const { client } = useSession()
  return (
    <ListPage
      route={route}
      heading="Audit trail"
      caption="Audit trail"
      title="Activity"
      one="entry"
      many="entries"
      operation="account-audit"
      read={async (page, search) => {
        const query = { ...search, ...page }
        const { entries, next } = (await client.get('/account/audit', { params: { query } })) as AuditAnswer
        return { items: entries, next }
      }}
      byCursor
      size={50}
      filters={[
        { name: 'event', label: 'Event', placeholder: 'api-key-created' },
        { name: 'subject', label: 'Subject', placeholder: 'did:… or an id' },
        { name: 'apiKeyId', label: 'API key (id)' },
        { name: 'since', label: 'From', placeholder: '2027-01-31' },
        { name: 'until', label: 'Before', placeholder: '2027-02-01T12:00:00Z' },
        { name: 'outcome', label: 'Outcome', choices: ['done', 'refused'] },
      ]}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Time', cell: ({ time }) => <Time at={time} /> },
        { head: 'Event', cell: EventCell },
        { head: 'By API key', cell: CallerCell },
        {
          head: 'Subject',
          cell: ({ subject, detail }) => (
            <span class="mono wrap">
              {subject}
              {detail !== undefined && <span class="hint below">{detail}</span>}
            </span>
          ),
        },
      ]}
      none="No entries yet."
      tools={<Export search={route.search ?? {}} />}
    />
  )
}

const EventCell = ({ event, outcome, occurrences }: AuditedEvent) => (
  <span class="wrap short">
    {event}
    {outcome === 'refused' && <strong> refused</strong>}
    {occurrences > 1 && <span class="hint below">{occurrences.toLocaleString('en')} times</span>}
  </span>
)

const CallerCell = ({ apiKeyId, address }: AuditedEvent) =>
  apiKeyId === undefined ? (
    'the operator or the service'
  ) : (
    <span class="mono wrap short">
      <a href={routeHash({ page: 'audit', search: { apiKeyId } })}>{apiKeyId}</a>
      {address !== undefined && <span class="hint below">from {address}</span>}
    </span>
  )

/** All entries that match the filter, as a file for spreadsheets. */
function Export({ search }: { search: Search }) {
  const { client, announce } = useSession()
  const [note, setNote] = useState<string>()
  useEffect(() => setNote(undefined), [JSON.stringify(search)])
  const { run, busy, error } = useAction(async () => {
    const file = await client.get<'/account/audit', 'blob'>('/account/audit', {
      params: { query: { ...search } },
      headers: { accept: 'text/csv' },
      parseAs: 'blob',
    })
    save(file, 'audit-trail.csv')
    const limit = isFull(await file.text())
      ? `The file has the newest ${MOST_EXPORTED.toLocaleString('en')} entries; filter by time for others.`
      : undefined
    setNote(limit)
    announce(limit ?? 'The file was saved.')
  })
  return (
    <>
      <button type="button" aria-disabled={busy} onClick={() => !busy && run()}>
        {busy ? 'Reading …' : 'Export as CSV'}
      </button>
      <Failure text={error ?? note} />
    </>
  )
}

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Whether the service has left entries out: a file that is full. Line breaks inside of cells have no carriage return. */
export const isFull = (csv: string): boolean => csv.split('\r\n').length - 2 >= MOST_EXPORTED
