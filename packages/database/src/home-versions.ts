import type { MigrationInterface, QueryRunner } from 'typeorm'
import type { RunningTransaction } from './batched-work.js'
import { writtenTables } from './changed-tables.js'
import type { Reader } from './connection.js'
import { EVERY_HOME } from './homes.js'
import { joinSql, Sql, sql, type Dialect } from './sql.js'
import { VACUUM_OFTEN } from './vacuum-often.js'

/** Increments the versions of homes, with each transaction that changes cached rows. */
export const HOME_VERSION = 'home_version'

export class CountHomeVersions1796500000730 implements MigrationInterface {
  readonly name = 'CountHomeVersions1796500000730'

  async up(queryRunner: QueryRunner): Promise<void> {
    // On PostgreSQL room for the next version of a row on its own page: no index is written then.
    const storage =
      queryRunner.connection.options.type === 'postgres' ? `WITH (fillfactor = 50, ${VACUUM_OFTEN})` : ''
    await queryRunner.query(
      `CREATE TABLE ${HOME_VERSION} (home INTEGER NOT NULL, slot INTEGER NOT NULL, version BIGINT NOT NULL,
        PRIMARY KEY (home, slot)) ${storage}`,
    )
    if (storage === '')
      await queryRunner.query(`CREATE INDEX home_version_number ON ${HOME_VERSION} (version)`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE ${HOME_VERSION}`)
  }
}

/** Rows in which the versions of one home are counted. */
const SLOTS = new Sql(['64'], [])

/** Takes note of the homes that the statements of a transaction change, and counts their versions up with its COMMIT. */
export class ChangedHomes implements RunningTransaction {
  private readonly homes = new Set<number>()

  /** @param remembered - the tables whose rows are cached */
  constructor(
    private readonly transaction: RunningTransaction,
    private readonly dialect: Dialect,
    private readonly remembered: ReadonlySet<string>,
  ) {}

  get pipelined(): boolean {
    return this.transaction.pipelined
  }

  query<Row>(statement: Sql): Promise<Row[]> {
    this.note(statement)
    return this.transaction.query<Row>(statement)
  }

  run(statement: Sql): Promise<number> {
    this.note(statement)
    return this.transaction.run(statement)
  }

  execute(statements: readonly Sql[]): Promise<void> {
    for (const statement of statements) this.note(statement)
    return this.transaction.execute(statements)
  }

  commit(statements: readonly Sql[]): Promise<void> {
    for (const statement of statements) this.note(statement)
    const { homes, dialect } = this
    return this.transaction.commit(homes.size === 0 ? statements : [...statements, countUp(homes, dialect)])
  }

  private note(statement: Sql): void {
    const { homes } = statement
    if (homes) for (const home of homes) this.homes.add(home)
    else if (this.concernsRemembered(statement)) this.homes.add(EVERY_HOME)
  }

  private concernsRemembered(statement: Sql): boolean {
    for (const table of writtenTables(statement.text(this.dialect)))
      if (this.remembered.has(table)) return true
    return false
  }
}

/** Increments the version of every home. */
export const countUpAll = (dialect: Dialect): Sql => countUp(new Set([EVERY_HOME]), dialect)

/**
 * SQLite has one writer, so that one number counts for all homes: it shows what has changed since it was last read.
 * On PostgreSQL each home has its own, the sum of several rows: connections that change a home at the same time count
 * in different rows; with one row PostgreSQL would refuse all but one of them.
 */
function countUp(homes: ReadonlySet<number>, dialect: Dialect): Sql {
  const [slot, next, counted] =
    dialect === 'sqlite'
      ? [sql`0`, sql`(SELECT COALESCE(MAX(version), 0) + 1 FROM home_version)`, sql`excluded.version`]
      : [sql`pg_backend_pid() % ${SLOTS}`, sql`1`, sql`home_version.version + 1`]
  // always in the same order, so that no two wait for each other
  const rows = [...homes].sort((one, other) => one - other).map((home) => sql`(${home}, ${slot}, ${next})`)
  return sql`INSERT INTO home_version (home, slot, version) VALUES ${joinSql(rows)}
    ON CONFLICT (home, slot) DO UPDATE SET version = ${counted}`
}

/** Reports which homes were changed since the last call. */
export interface HomeWatch {
  readonly dialect: Dialect
  /** whether it always reports on all homes */
  readonly seesAll: boolean
  /** @param homes - requested ones; others may be named as well */
  changed(homes: ReadonlySet<number>): Promise<readonly number[]>
}

export class SqliteHomeWatch implements HomeWatch {
  readonly dialect = 'sqlite'
  readonly seesAll = true
  private last = -1

  /** @param reader - a connection without writes */
  constructor(private readonly reader: Reader) {}

  async changed(): Promise<readonly number[]> {
    const rows = await this.reader.query<{ home: number; version: number }>(
      sql`SELECT home, version FROM home_version WHERE version > ${this.last}`,
    )
    for (const { version } of rows) this.last = Math.max(this.last, version)
    return rows.map(({ home }) => home)
  }
}

/**
 * Versions of single homes, beside the start of the server process that reports them. Within one process the history
 * of its rows is linear, even if it is a standby that is promoted; another server may have lost what the first one
 * showed.
 */
export class PostgresHomeWatch implements HomeWatch {
  readonly dialect = 'postgres'
  readonly seesAll = false
  private readonly versions = new Map<number, string | null>()
  private server: string | undefined

  constructor(private readonly reader: Reader) {}

  async changed(homes: ReadonlySet<number>): Promise<readonly number[]> {
    const asked = [EVERY_HOME, ...homes]
    const rows = await this.reader.query<{ server: string; home: number; version: string | null }>(
      sql`SELECT CAST(pg_postmaster_start_time() AS TEXT) AS server, asked.home,
          (SELECT CAST(SUM(v.version) AS TEXT) FROM home_version v WHERE v.home = asked.home) AS version
        FROM unnest(CAST(${`{${asked.join()}}`} AS INTEGER[])) AS asked (home)`,
    )
    const [first] = rows
    if (first && first.server !== this.server) {
      this.server = first.server
      this.versions.clear()
    }
    return rows.flatMap(({ home, version }) => {
      if (this.versions.get(home) === version) return []
      this.versions.set(home, version)
      return [home]
    })
  }
}
