import type { AnswerOf } from '@vidimus/client'
import { Failure, Heading, Section, Table, Time, type Row } from '../parts/pieces.js'
import { asked } from '../parts/paging.js'
import { useAction, useLoaded } from '../parts/use-loaded.js'
import { routeHash, type Place } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { OperatorsNav } from './operators-nav.js'

type ListedSession = AnswerOf<'/operator/sessions', 'get'>['sessions'][number]

const PER_PAGE = 25
const HEAD = ['Subject', 'Identity provider', 'Account', 'Scopes', 'Last used', 'Ends', 'Actions']

/** Who is signed in to the console with an identity provider, for operators. */
export function SessionsPage({ place }: { place: Place }) {
  const whyNot = useWhyNot()('operator-session-list')
  return (
    <>
      <Heading title="Sessions">Sessions</Heading>
      <OperatorsNav current="sessions" />
      {whyNot === undefined ? <Sessions place={place} /> : <p class="note">{whyNot}</p>}
    </>
  )
}

function Sessions({ place }: { place: Place }) {
  const { client, announce } = useSession()
  const { value, error, loading, reload } = useLoaded(`sessions ${JSON.stringify(place)}`, () =>
    client.get('/operator/sessions', { params: { query: asked(place, PER_PAGE) } }),
  )
  const end = useAction(async ({ id, subject }: ListedSession) => {
    await client.delete('/operator/sessions/{id}', { params: { path: { id } } })
    announce(`The session of ${subject} ended.`)
    reload()
  })
  const rows = value?.sessions.map((session): Row => ({
    key: session.id,
    cells: [
      <span class="wrap">{session.subject}</span>,
      <span class="wrap">{session.issuer}</span>,
      session.account,
      <span class="wrap">{session.scopes?.join(', ') ?? 'not limited'}</span>,
      <Time at={session.usedAt} />,
      <Time at={session.endsAt} />,
      <button type="button" disabled={end.busy} onClick={() => end.run(session)}>
        End<span class="quiet"> the session of {session.subject}</span>
      </button>,
    ],
  }))
  return (
    <Section
      title="Signed in with an identity provider"
      actions={
        <button type="button" onClick={reload}>
          Refresh
        </button>
      }
    >
      <Failure text={error ?? end.error} />
      {loading && !value && <p class="hint">Loading …</p>}
      {rows?.length === 0 && <p class="hint">Nobody is signed in.</p>}
      {rows && rows.length > 0 && <Table caption="Sessions" head={HEAD} rows={rows} />}
      {value?.next !== undefined && (
        <a class="button" href={routeHash({ page: 'sessions', place: { after: value.next } })}>
          Next
        </a>
      )}
    </Section>
  )
}
