import {
  Counter,
  parseOptions,
  quotaError,
  QUOTAS,
  RESERVE_PARTS,
  type AccountUsage,
  type HasMeasurements,
  type Measurement,
  type QuotaName,
} from '@vidimus/core-types'
import {
  isPartAway,
  joinSql,
  KnownTallies,
  sql,
  type AccountQuotas,
  type Connection,
  type CountOptions,
  type Database,
  requireDatabase,
  type Sql,
  tallied,
  type TalliedChange,
  type TalliedKind,
  tally,
  whereCounted,
} from '@vidimus/database'
import { z } from 'zod'
import { readLimit } from './account-quota-rows.js'
import { QUOTA_REFUSALS } from './measurements.js'
import { RoughTallies } from './rough-tallies.js'

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

/** Of these quotas, the sum of all homes is read for each change only if less than this is left. */
const ENOUGH_ROOM: Partial<Record<TalliedQuota, number>> = {
  statusLists: 1000,
  resources: 1000,
  bytes: 100_000_000,
}

/**
 * How much each account may hold. Data is counted in the transactions that add or remove it, in the home of its rows.
 * Near a limit the transaction reads the sum of all homes, so that a refusal is exact whoever else writes, but for what is
 * running at that moment; far from it, a sum of the last second suffices. Lowering a limit removes nothing.
 */
export class Quotas implements AccountQuotas, HasMeasurements {
  readonly measurements: readonly Measurement[]
  private readonly usual: Readonly<Record<TalliedQuota, number>>
  private readonly refusals = new Counter(
    QUOTA_REFUSALS,
    Object.keys(QUOTAS).map((name) => [name]),
  )
  private readonly rough = new RoughTallies()

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
    { home, onReserve = false }: CountOptions,
  ): Promise<void> {
    const grown = TALLIED.filter((quota) => KINDS[quota].some((kind) => (change[kind] ?? 0) > 0))
    await this.expect(connection, account, grown)
    for (const [kind, difference] of Object.entries(change)) {
      tally(connection, account, kind as TalliedKind, difference, home)
    }
    this.rough.add(account, change)
    for (const quota of grown) await this.check(connection, account, quota, { onReserve, change })
  }

  /**
   * Reads what {@link check} is going to compare, in one statement. Before the first write of the transaction that is sent
   * it is a trip less.
   */
  async expect(connection: Connection, account: string, quotas: readonly TalliedQuota[]): Promise<void> {
    const known = KnownTallies.of(connection)
    const missing = quotas.filter((quota) => known.find(account, limitNamed(quota)) === undefined)
    if (missing.length === 0) return
    const read = await this.readRoughly(account, missing)
    const rough = read ? missing.filter((quota) => this.isFar(account, quota)) : []
    for (const name of rough.flatMap((quota) => [limitNamed(quota), ...KINDS[quota]]))
      known.note(account, name, this.rough.find(account, name) ?? 0)
    await this.readExactly(connection, account, {
      limits: missing.filter((quota) => !read?.includes(quota) || !rough.includes(quota)),
      sums: missing.filter((quota) => !rough.includes(quota)),
    })
    // By a limit that is a new one.
    const near = rough.filter((quota) => this.isNear(account, quota))
    await this.readExactly(connection, account, { limits: [], sums: near })
  }

  private async readExactly(
    connection: Connection,
    account: string,
    { limits, sums }: { limits: readonly TalliedQuota[]; sums: readonly TalliedQuota[] },
  ): Promise<void> {
    if (limits.length + sums.length === 0) return
    const kinds = sums.flatMap((quota) => KINDS[quota])
    const isChanged = kinds.some((kind) => KnownTallies.of(connection).isChanged(account, kind))
    const statement = selectNumbers(account, limits, kinds)
    const rows = await (isChanged
      ? connection.query<NumberRow>(statement)
      : connection.queryApart<NumberRow>(statement))
    const numbers = this.numbersOf(limits, kinds, rows)
    this.rough.note(account, numbers)
    for (const [name, n] of numbers) KnownTallies.of(connection).note(account, name, n)
  }

  /**
   * @returns the quotas whose limits and sums were read, as those of the last second were not there; `undefined` if only exact
   *   ones are of use
   */
  private async readRoughly(
    account: string,
    quotas: readonly TalliedQuota[],
  ): Promise<readonly TalliedQuota[] | undefined> {
    const spread = quotas.filter((quota) => ENOUGH_ROOM[quota] !== undefined)
    const kinds = spread.flatMap((quota) => KINDS[quota])
    if (spread.some((quota) => this.isNear(account, quota))) return undefined
    if (spread.length === 0 || this.rough.isFresh(account, kinds)) return []
    await this.readRough(account, spread)
    return spread
  }

  /** Of all homes, outside of transactions. If some of them are away, what was known before stays. */
  private async readRough(account: string, quotas: readonly TalliedQuota[]): Promise<void> {
    const kinds = quotas.flatMap((quota) => KINDS[quota])
    try {
      const rows = await this.database.query<NumberRow>(selectNumbers(account, quotas, kinds))
      this.rough.note(account, this.numbersOf(quotas, kinds, rows))
    } catch (error) {
      if (!isPartAway(error)) throw error
      const rows = await this.database.query<NumberRow>(selectNumbers(account, quotas, []))
      const before = kinds.map((kind) => [kind, this.rough.find(account, kind) ?? 0] as const)
      this.rough.note(account, new Map([...this.numbersOf(quotas, [], rows), ...before]))
    }
  }

  /** Whether a sum of the last second, which is known, suffices. */
  private isFar(account: string, quota: TalliedQuota): boolean {
    return this.room(account, quota) >= (ENOUGH_ROOM[quota] ?? Infinity)
  }

  private isNear(account: string, quota: TalliedQuota): boolean {
    return this.room(account, quota) < (ENOUGH_ROOM[quota] ?? Infinity)
  }

  /** Not a number if it is not known. */
  private room(account: string, quota: TalliedQuota): number {
    const numberOf = (name: string) => this.rough.find(account, name) ?? NaN
    return KINDS[quota].reduce((left, kind) => left - numberOf(kind), numberOf(limitNamed(quota)))
  }

  private numbersOf(
    quotas: readonly TalliedQuota[],
    kinds: readonly TalliedKind[],
    rows: readonly NumberRow[],
  ): Map<string, number> {
    return new Map([
      ...quotas.map((quota) => [limitNamed(quota), this.usual[quota]] as const),
      ...kinds.map((kind) => [kind, 0] as const),
      ...rows.map(({ what, name, n }) => [what === 'limit' ? limitNamed(name) : name, Number(n)] as const),
    ])
  }

  /**
   * Must follow an addition, in its transaction.
   *
   * @throws AgentError `quota_exceeded` if there is now too much
   */
  async check(
    connection: Connection,
    account: string,
    quota: TalliedQuota,
    { onReserve = false, change }: { onReserve?: boolean; change?: TalliedChange } = {},
  ): Promise<void> {
    await this.expect(connection, account, [quota])
    const known = KnownTallies.of(connection)
    const numberOf = (what: string) => known.find(account, what) ?? 0
    const limit = numberOf(limitNamed(quota))
    const allowed = onReserve ? withReserve(limit) : limit
    const used = KINDS[quota].reduce((sum, kind) => sum + numberOf(kind), 0)
    if (used <= allowed) return
    this.refusals.add(1, quota)
    // Others may have been counted in another partition meanwhile.
    const about = quota in ENOUGH_ROOM ? 'roughly ' : ''
    const added = change ? KINDS[quota].reduce((sum, kind) => sum + (change[kind] ?? 0), 0) : 1
    throw quotaError(quota, { used: used - added, limit }, { about })
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
    const quotas = ['bytes'] as const
    if (!this.rough.isFresh(account, KINDS.bytes) || this.isNear(account, 'bytes'))
      await this.readRough(account, quotas)
    const numberOf = (name: string) => this.rough.find(account, name) ?? 0
    const used = KINDS.bytes.reduce((sum, kind) => sum + numberOf(kind), 0)
    return used + bytes <= withReserve(numberOf(limitNamed('bytes')))
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

/** Limits that an operator has set, and what the account has of some kinds. */
function selectNumbers(account: string, quotas: readonly TalliedQuota[], kinds: readonly TalliedKind[]): Sql {
  const limits = sql`SELECT 'limit' AS what, quota AS name, most AS n FROM account_quota
    WHERE account_id = ${account} AND quota IN (${joinSql(quotas)})`
  const sums = sql`SELECT '' AS what, kind AS name, SUM(n) AS n FROM account_tally
    WHERE ${whereCounted(account, kinds)} GROUP BY kind`
  return joinSql([...(quotas.length > 0 ? [limits] : []), ...(kinds.length > 0 ? [sums] : [])], ' UNION ALL ')
}
