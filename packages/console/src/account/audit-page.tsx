import { useEffect, useState } from 'preact/hooks'
import { FormField } from '../parts/form-field.js'
import { Failure, Heading, Section, Table, Time, type Row } from '../parts/pieces.js'
import { useAction, useLoaded } from '../parts/use-loaded.js'
import { routeHash, type Place, type Search } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { AccountNav } from './account-nav.js'
import { isFull, MOST_EXPORTED, readAuditFile, readAuditPage, type AuditedEvent } from './audit.js'

/** Who did what in the account, and when. */
export function AuditPage({ search, place }: { search: Search; place: Place }) {
  const whyNot = useWhyNot()('account-audit')
  return (
    <>
      <Heading title="Audit trail">Audit trail</Heading>
      <AccountNav current="audit" />
      {whyNot === undefined ? <Trail search={search} place={place} /> : <p class="note">{whyNot}</p>}
    </>
  )
}

function Trail({ search, place }: { search: Search; place: Place }) {
  const { client } = useSession()
  const { value, error, loading, reload } = useLoaded(JSON.stringify(['audit', search, place]), () =>
    readAuditPage(client, search, place.after),
  )
  const older = value?.next
  const isFiltered = Object.keys(search).length > 0
  return (
    <Section
      title="Activity"
      actions={
        <div class="row">
          <button type="button" onClick={reload}>
            Refresh
          </button>
          <Export search={search} />
        </div>
      }
    >
      <Filter search={search} key={JSON.stringify(search)} />
      <Failure text={error} />
      {loading && !value && <p class="hint">Loading …</p>}
      {value?.entries.length === 0 && (
        <p class="hint">
          {older ? 'No entries so far. Older entries have not been searched yet.' : 'No entries match.'}{' '}
          {isFiltered && <a href={routeHash({ page: 'audit' })}>Show everything</a>}
        </p>
      )}
      {value && value.entries.length > 0 && <AuditTable entries={value.entries} />}
      {(older !== undefined || place.after !== undefined) && (
        <nav class="row" aria-label="Pages of the table">
          {place.after !== undefined && (
            <a class="button" href={routeHash({ page: 'audit', search })}>
              Newest
            </a>
          )}
          {older !== undefined && (
            <a class="button" href={routeHash({ page: 'audit', search, place: { after: older } })}>
              Older
            </a>
          )}
        </nav>
      )}
    </Section>
  )
}

const FIELDS = [
  ['event', 'Event', 'api-key-created'],
  ['subject', 'Subject', 'did:… or an id'],
  ['apiKeyId', 'API key (id)', undefined],
  ['since', 'From', '2027-01-31'],
  ['until', 'Before', '2027-02-01T12:00:00Z'],
] as const

/** The filter is in the address, so that it can be passed on. */
function Filter({ search }: { search: Search }) {
  const [words, setWords] = useState<Search>(search)
  const set = (name: string) => (word: string) => setWords({ ...words, [name]: word.trim() })
  return (
    <form
      role="search"
      aria-label="Audit trail"
      onSubmit={(event) => {
        event.preventDefault()
        const given = Object.entries(words).filter(([, word]) => word !== '')
        window.location.hash = routeHash({ page: 'audit', search: Object.fromEntries(given) })
      }}
    >
      <div class="columns">
        {FIELDS.map(([name, label, placeholder]) => (
          <FormField
            key={name}
            label={label}
            value={words[name] ?? ''}
            onChange={set(name)}
            {...(placeholder !== undefined && { placeholder })}
          />
        ))}
        <FormField
          label="Outcome"
          value={words.outcome ?? ''}
          onChange={set('outcome')}
          choices={['done', 'refused']}
          none="any"
        />
      </div>
      <div class="row">
        <button type="submit">Filter</button>
      </div>
    </form>
  )
}

function AuditTable({ entries }: { entries: readonly AuditedEvent[] }) {
  const rows = entries.map(
    ({ id, time, event, outcome, apiKeyId, address, subject, detail, occurrences }): Row => ({
      key: id,
      cells: [
        <Time at={time} />,
        <span class="wrap short">
          {event}
          {outcome === 'refused' && <strong> refused</strong>}
          {occurrences > 1 && <span class="hint below">{occurrences.toLocaleString('en')} times</span>}
        </span>,
        apiKeyId === undefined ? (
          'the operator or the service'
        ) : (
          <span class="mono wrap short">
            <a href={routeHash({ page: 'audit', search: { apiKeyId } })}>{apiKeyId}</a>
            {address !== undefined && <span class="hint below">from {address}</span>}
          </span>
        ),
        <span class="mono wrap">
          {subject}
          {detail !== undefined && <span class="hint below">{detail}</span>}
        </span>,
      ],
    }),
  )
  return <Table caption="Audit trail" head={['Time', 'Event', 'By API key', 'Subject']} rows={rows} />
}

/** Everything that fits the filter, as a file for spreadsheets. */
function Export({ search }: { search: Search }) {
  const { client, announce } = useSession()
  const [note, setNote] = useState<string>()
  useEffect(() => setNote(undefined), [JSON.stringify(search)])
  const { run, busy, error } = useAction(async () => {
    const file = await readAuditFile(client, search)
    save(file, 'audit-trail.csv')
    const told = isFull(await file.text())
      ? `The file has the newest ${MOST_EXPORTED.toLocaleString('en')} entries; filter by time for others.`
      : undefined
    setNote(told)
    announce(told ?? 'The file was saved.')
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
