import {
  AgentError,
  Counter,
  parseOptions,
  QUOTAS,
  RESERVE_PARTS,
  type AccountUsage,
  type HasMeasurements,
  type Measurement,
  type QuotaName,
} from '@vidimus/core-types'
import {
  joinSql,
  KnownTallies,
  sql,
  type AccountQuotas,
  type Connection,
  type Database,
  requireDatabase,
  tallied,
  type TalliedChange,
  type TalliedKind,
  tally,
} from '@vidimus/database'
import { z } from 'zod'
import { readLimit } from './account-quota-rows.js'
import { QUOTA_REFUSALS } from './measurements.js'

const most = (usual: number) => z.int().min(0).default(usual)

export const Options = z.strictObject({
  dids: most(1_000_000),
  keys: most(2_000_000),
  statusLists: most(100_000),
  resources: most(1_000_000),
  bytes: most(10_000_000_000),
})

export interface QuotasOptions {
  /** DIDs that an account may hold; default 1 000 000 */
  dids?: number
  /** key pairs that an account may hold; default 2 000 000 */
  keys?: number
  /** status lists of an account in the database of the service; default 100 000 */
  statusLists?: number
  /** versions of other resources of an account in the database of the service; default 1 000 000 */
  resources?: number
  /** of documents, resources, status lists and stored responses of an account; default 10 000 000 000 */
  bytes?: number
}

type TalliedQuota = keyof QuotasOptions

/** The counted kinds of each. */
const KINDS: Readonly<Record<TalliedQuota, readonly TalliedKind[]>> = {
  dids: ['dids'],
  keys: ['keys'],
  statusLists: ['statusLists'],
  resources: ['resources'],
  bytes: ['ledgerBytes', 'answerBytes'],
}
const TALLIED = Object.keys(KINDS) as TalliedQuota[]

/**
 * How much each account may hold. Data is counted in the transactions that add or remove it, so that a refusal is
 * exact whoever else writes; lowering a limit removes nothing.
 */
export class Quotas implements AccountQuotas, HasMeasurements {
  readonly measurements: readonly Measurement[]
  private readonly usual: Readonly<Record<TalliedQuota, number>>
  private readonly refusals = new Counter(
    QUOTA_REFUSALS,
    Object.keys(QUOTAS).map((name) => [name]),
  )

  /** @throws AgentError `invalid_configuration` */
  constructor(
    private readonly database: Database,
    options: QuotasOptions = {},
  ) {
    requireDatabase(database)
    this.usual = parseOptions(Options, options)
    this.measurements = [this.refusals]
  }

  async count(
    connection: Connection,
    account: string,
    change: TalliedChange,
    onReserve = false,
  ): Promise<void> {
    const grown = TALLIED.filter((quota) => KINDS[quota].some((kind) => (change[kind] ?? 0) > 0))
    await this.expect(connection, account, grown)
    for (const [kind, difference] of Object.entries(change)) {
      tally(connection, account, kind as TalliedKind, difference)
    }
    for (const quota of grown) await this.check(connection, account, quota, onReserve)
  }

  /**
   * Reads what {@link check} is going to compare, in one statement. Before the first write of the transaction that is sent
   * it is a trip less.
   */
  async expect(connection: Connection, account: string, quotas: readonly TalliedQuota[]): Promise<void> {
    const known = KnownTallies.of(connection)
    const missing = quotas.filter((quota) => known.find(account, limitNamed(quota)) === undefined)
    const kinds = missing.flatMap((quota) => KINDS[quota])
    if (missing.length === 0) return
    const statement = sql`SELECT 'limit' AS what, quota AS name, most AS n FROM account_quota
        WHERE account_id = ${account} AND quota IN (${joinSql(missing)})
      UNION ALL SELECT '', kind, n FROM account_tally WHERE account_id = ${account} AND kind IN (${joinSql(kinds)})`
    const isChanged = kinds.some((kind) => known.isChanged(account, kind))
    const rows = await (isChanged
      ? connection.query<NumberRow>(statement)
      : connection.queryApart<NumberRow>(statement))
    for (const quota of missing) known.note(account, limitNamed(quota), this.usual[quota])
    for (const kind of kinds) known.note(account, kind, 0)
    for (const { what, name, n } of rows)
      known.note(account, what === 'limit' ? limitNamed(name) : name, Number(n))
  }

  /**
   * Must follow an addition, in its transaction.
   *
   * @throws AgentError `invalid_input` if there is now too much
   */
  async check(
    connection: Connection,
    account: string,
    quota: TalliedQuota,
    onReserve = false,
  ): Promise<void> {
    await this.expect(connection, account, [quota])
    const known = KnownTallies.of(connection)
    const numberOf = (what: string) => known.find(account, what) ?? 0
    const limit = numberOf(limitNamed(quota))
    const allowed = onReserve ? withReserve(limit) : limit
    if (KINDS[quota].reduce((sum, kind) => sum + numberOf(kind), 0) <= allowed) return
    this.refusals.add(1, quota)
    throw quotaError(quota, limit)
  }

  limitOf(
    reader: Pick<Connection, 'query'>,
    account: string,
    quota: QuotaName,
    usual: number,
  ): Promise<number> {
    return readLimit(reader, account, quota, usual)
  }

  /** Whether the account has room for this many more bytes, including its reserve. */
  async hasRoomFor(account: string, bytes: number): Promise<boolean> {
    const { used, limit } = await this.readUsage(account, 'bytes')
    return used + bytes <= withReserve(limit)
  }

  /** What an account has, and what it may have. */
  async usage(account: string): Promise<Pick<AccountUsage, TalliedQuota>> {
    const entries = TALLIED.map(async (quota) => [quota, await this.readUsage(account, quota)] as const)
    return Object.fromEntries(await Promise.all(entries)) as Pick<AccountUsage, TalliedQuota>
  }

  private async readUsage(account: string, quota: TalliedQuota) {
    const used = await sumTallies(this.database, account, quota)
    return { used, limit: await readLimit(this.database, account, quota, this.usual[quota]) }
  }
}

interface NumberRow {
  what: 'limit' | ''
  name: string
  n: number | string
}

const limitNamed = (quota: string): string => `most ${quota}`

const withReserve = (limit: number): number => limit + Math.floor(limit / RESERVE_PARTS)

async function sumTallies(
  reader: Pick<Connection, 'query'>,
  account: string,
  quota: TalliedQuota,
): Promise<number> {
  let used = 0
  for (const kind of KINDS[quota]) used += await tallied(reader, account, kind)
  return used
}

/** The account has as much as it may. */
export function quotaError(quota: QuotaName, limit: number, advice = ''): AgentError {
  const message = `the account may have at most ${limit} ${QUOTAS[quota]}${advice === '' ? '' : `; ${advice}`}`
  const details = [{ path: `quota.${quota}`, message }]
  return new AgentError('invalid_input', `quota ${quota}: ${message}`, { details })
}
