import {
  readInTime,
  worstLevel,
  type Finding,
  type Installation,
  type Measurement,
  type ServiceHealth,
} from '@vidimus/core-types'

/** Findings are expensive. */
const FRESH_MS = 60_000

/** Looks at the whole service for operators. What takes long is shared by all who ask within a minute. */
export class HealthReports {
  private findings: { at: Date; made: Promise<Finding[]> } | undefined

  constructor(private readonly clock: () => Date = () => new Date()) {}

  async report(installation: Installation): Promise<ServiceHealth> {
    const { database, versions } = installation
    const [{ at, findings }, pending, figures] = await Promise.all([
      this.examine(installation),
      database.pendingMigrations(),
      Figures.of(installation.measurements),
    ])
    return {
      level: worstLevel(findings),
      examinedAt: at.toISOString(),
      findings,
      database: {
        dialect: database.dialect,
        readOnly: database.isReadOnly,
        migrations: database.migrationNames.length,
        pendingMigrations: pending.length,
        ...figures.named({
          waitingWrites: 'vidimus_database_write_queue_length',
          connections: 'vidimus_database_connections',
          replicationLagSeconds: 'vidimus_replication_lag_seconds',
          diskAvailableBytes: 'vidimus_database_disk_available_bytes',
        }),
      },
      networks: networksIn(figures),
      ...(figures.has('vidimus_publication_lag_seconds') && {
        publication: figures.named({
          lagSeconds: 'vidimus_publication_lag_seconds',
          failures: 'vidimus_publication_failures_total',
        }),
      }),
      lists: figures.named({
        beatLagSeconds: 'vidimus_status_list_beat_lag_seconds',
        waitingChanges: 'vidimus_status_list_waiting_changes',
        oldestWaitingSeconds: 'vidimus_status_list_oldest_waiting_change_seconds',
        openJobs: 'vidimus_status_list_jobs_open',
      }),
      versions,
    }
  }

  /** One look at a time, however many ask. A failed one is not kept. */
  private async examine(installation: Installation): Promise<{ at: Date; findings: Finding[] }> {
    const now = this.clock()
    if (!this.findings || now.getTime() - this.findings.at.getTime() >= FRESH_MS) {
      const look = { at: now, made: installation.findings() }
      this.findings = look
      look.made.catch(() => {
        if (this.findings === look) this.findings = undefined
      })
    }
    const { at, made } = this.findings
    return { at, findings: await made }
  }
}

const NETWORK_FIGURES = {
  outboxOldestSeconds: 'vidimus_ledger_outbox_oldest_seconds',
  blockAgeSeconds: 'vidimus_ledger_block_age_seconds',
  blockHeight: 'vidimus_ledger_block_height',
  payerBalanceCheq: 'vidimus_ledger_payer_balance_cheq',
  spendTodayCheq: 'vidimus_spend_today_cheq',
}
const OUTBOX = 'vidimus_ledger_outbox_messages'

function networksIn(figures: Figures): ServiceHealth['networks'] {
  const names = [OUTBOX, ...Object.values(NETWORK_FIGURES)].flatMap((name) => figures.labels(name, 'network'))
  return [...new Set(names)].sort().map((network) => {
    const outbox = figures.by(OUTBOX, 'state', { network })
    return {
      network,
      ...(Object.keys(outbox).length > 0 && { outbox }),
      ...figures.named(NETWORK_FIGURES, { network }),
    }
  })
}

interface Figure {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

/** The values of documented metrics at one moment. */
class Figures {
  private constructor(private readonly all: readonly Figure[]) {}

  /** Those that fail or take too long are left out. */
  static async of(measurements: readonly Measurement[]): Promise<Figures> {
    const meant = measurements.filter(({ kind, form }) => kind !== 'histogram' && WANTED.test(form.name))
    const read = await Promise.all(meant.map((measurement) => figuresOf(measurement)))
    return new Figures(read.flat())
  }

  has(name: string): boolean {
    return this.all.some((figure) => figure.name === name)
  }

  labels(name: string, label: string): string[] {
    return this.all.flatMap((figure) => {
      const value = figure.name === name ? figure.labels[label] : undefined
      return value === undefined ? [] : [value]
    })
  }

  /** Sums by member; members without a value are absent. */
  named<Member extends string>(
    names: Readonly<Record<Member, string>>,
    where: Readonly<Record<string, string>> = {},
  ): Partial<Record<Member, number>> {
    const pairs = (Object.entries(names) as [Member, string][]).flatMap(([member, name]) => {
      const found = this.where(name, where)
      return found.length === 0 ? [] : [[member, found.reduce((sum, { value }) => sum + value, 0)] as const]
    })
    return Object.fromEntries(pairs) as Partial<Record<Member, number>>
  }

  by(name: string, label: string, where: Readonly<Record<string, string>>): Record<string, number> {
    return Object.fromEntries(
      this.where(name, where).map(({ labels, value }) => [labels[label] ?? '', value] as const),
    )
  }

  private where(name: string, where: Readonly<Record<string, string>>): Figure[] {
    const fits = ({ labels }: Figure) =>
      Object.entries(where).every(([label, value]) => labels[label] === value)
    return this.all.filter((figure) => figure.name === name && fits(figure))
  }
}

const WANTED = /^vidimus_(database|replication|publication|ledger|spend|status_list)_/

async function figuresOf(measurement: Measurement): Promise<Figure[]> {
  try {
    const samples = await readInTime(measurement)
    return samples.map(({ labels, value }) => ({
      name: measurement.form.name,
      labels: Object.fromEntries(Object.entries(labels).map(([label, text]) => [label, String(text)])),
      value,
    }))
  } catch {
    return []
  }
}
