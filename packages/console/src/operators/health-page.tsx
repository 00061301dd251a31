import type { AnswerOf } from '@vidimus/client'
import { ageText } from '../parts/age-text.js'
import { GroupNav } from '../parts/group-nav.js'
import { Facts, Failure, Heading, Section, Table, Time, type Row } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'

type Health = AnswerOf<'/operator/health', 'get'>

const LEVELS = { ok: 'ok', warn: 'needs attention', fail: 'wrong' } as const

/** Health of the service, as reported by one of its processes, for operators. */
export function HealthPage() {
  const whyNot = useWhyNot()('operator-health')
  return (
    <>
      <Heading title="Health">Health of the service</Heading>
      <GroupNav current="health" />
      {whyNot === undefined ? <Report /> : <p class="note">{whyNot}</p>}
    </>
  )
}

function Report() {
  const { client } = useSession()
  const { value, error, loading, reload } = useLoaded('health', () => client.get('/operator/health'))
  return (
    <>
      <Failure text={error} />
      {loading && !value && <p class="hint">Examining …</p>}
      {value && (
        <>
          <Findings health={value} onReload={reload} />
          <Networks networks={value.networks} />
          <Section title="Publication">
            <PublicationFacts health={value} />
          </Section>
          <Section title="Database">
            <DatabaseFacts database={value.database} />
          </Section>
          <Versions versions={value.versions} />
        </>
      )}
    </>
  )
}

const SEVERITY = { fail: 0, warn: 1, ok: 2 } as const

function Findings({
  health: { level, findings, examinedAt },
  onReload,
}: {
  health: Health
  onReload: () => void
}) {
  const rows = [...findings]
    .sort((one, other) => SEVERITY[one.level] - SEVERITY[other.level])
    .map((finding, n): Row => ({
      key: `${finding.name} ${n}`,
      cells: [
        finding.name,
        finding.level === 'ok' ? LEVELS.ok : <strong>{LEVELS[finding.level]}</strong>,
        <span class="wrap">
          {finding.message}
          {finding.advice !== undefined && <span class="hint below">{finding.advice}</span>}
        </span>,
      ],
    }))
  return (
    <Section
      title={
        level === 'ok' ? 'All is well' : `Something ${level === 'warn' ? 'needs attention' : 'is wrong'}`
      }
      actions={
        <button type="button" onClick={onReload}>
          Refresh
        </button>
      }
    >
      <p class="hint">
        Examined <Time at={examinedAt} />, at most once a minute, as <code>vidimus doctor</code> does.
      </p>
      <Table caption="Findings" head={['What', 'Level', 'Finding']} rows={rows} />
    </Section>
  )
}

function Networks({ networks }: { networks: Health['networks'] }) {
  const rows = networks.map(
    ({
      network,
      outbox = {},
      outboxOldestSeconds,
      blockAgeSeconds,
      payerBalanceCheq,
      spendTodayCheq,
    }): Row => ({
      key: network,
      cells: [
        network,
        Object.entries(outbox)
          .map(([state, count]) => `${count.toLocaleString('en')} ${state}`)
          .join(', ') || 'empty',
        ageText(outboxOldestSeconds),
        ageText(blockAgeSeconds),
        amountText(payerBalanceCheq),
        amountText(spendTodayCheq),
      ],
    }),
  )
  const head = ['Network', 'Outbox', 'Oldest message', 'Newest block', 'Balance (CHEQ)', 'Spent today (CHEQ)']
  return (
    <Section title="Networks and their outbox">
      {networks.length === 0 ? (
        <p class="hint">
          Embedded ledgers have no outbox. Networks appear here once <code>agent.yml</code> names them.
        </p>
      ) : (
        <Table caption="Networks" head={head} rows={rows} />
      )}
    </Section>
  )
}

function PublicationFacts({ health: { publication, lists } }: { health: Health }) {
  return (
    <Facts
      of={{
        'Static publication': publication
          ? `${ageText(publication.lagSeconds)} behind, ${count(publication.failures)} failed attempts`
          : 'not configured',
        'Paced lists': `${ageText(lists.beatLagSeconds)} behind`,
        'Changes that wait for their list': count(lists.waitingChanges),
        'Oldest of them': ageText(lists.oldestWaitingSeconds),
        'Open mass changes': count(lists.openJobs),
      }}
    />
  )
}

function DatabaseFacts({ database }: { database: Health['database'] }) {
  const { dialect, readOnly, migrations, pendingMigrations, replicationLagSeconds, diskAvailableBytes } =
    database
  return (
    <Facts
      of={{
        Kind: `${dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'}${readOnly ? ', read-only' : ''}`,
        Migrations: `${migrations}, ${pendingMigrations} of them pending`,
        'Waiting writes': count(database.waitingWrites),
        Connections: database.connections === undefined ? undefined : count(database.connections),
        'Replication lag': readOnly ? ageText(replicationLagSeconds) : undefined,
        'Free on its disk':
          diskAvailableBytes === undefined ? undefined : `${(diskAvailableBytes / 1e9).toFixed(1)} GB`,
      }}
    />
  )
}

function Versions({ versions: { service, node, packages } }: { versions: Health['versions'] }) {
  return (
    <Section title="Versions">
      <Facts of={{ Vidimus: service, 'Node.js': node }} inline />
      <Table
        caption="Packages that agent.yml names"
        head={['Package', 'Version']}
        rows={packages.map(({ name, version }) => ({
          key: name,
          cells: [<span class="mono wrap">{name}</span>, version],
        }))}
      />
    </Section>
  )
}

const count = (n: number | undefined): string => (n === undefined ? 'unknown' : n.toLocaleString('en'))

const amountText = (amount: number | undefined): string =>
  amount === undefined ? 'unknown' : amount.toLocaleString('en', { maximumFractionDigits: 3 })
