import { baseline } from './baseline.js'
import type { RunningTransaction } from './batched-work.js'
import { writtenTables } from './changed-tables.js'
import type { Reader } from './connection.js'
import { EVERY_HOME, HOMES, RESOURCES, SHARED_HOME } from './homes.js'
import { joinSql, Sql, sql, type Dialect } from './sql.js'
import { VACUUM_OFTEN } from './vacuum-often.js'

/** Increments the versions of homes, with each transaction that changes cached rows. */
export const HOME_VERSION = 'home_version'
/** The same for homes that are not those of a DID; on PostgreSQL only. */
export const SHARED_VERSION = 'shared_home_version'

/** On PostgreSQL there is room for the next version of a row on its own page: no index is written then. */
const STORAGE = `WITH (fillfactor = 50, ${VACUUM_OFTEN})`

/**
 * On PostgreSQL the versions of a DID's homes are found by that of its document: `part` distinguishes them. So where rows are
 * distributed by home, the version is in the transaction of a single server with what it counts. Versions that concern all
 * DIDs are apart, and joined to those of every home, which has a row for that: so one statement asks for both, and the server
 * of a home answers, none beside it.
 */
export const HOME_VERSION_MIGRATIONS = [
  baseline({
    room: 'Database',
    place: 0,
    only: {
      sqlite: `
CREATE TABLE ${HOME_VERSION} (home INTEGER NOT NULL, slot INTEGER NOT NULL, version BIGINT NOT NULL, PRIMARY KEY (home, slot));
CREATE INDEX home_version_number ON ${HOME_VERSION} (version);
`,
      postgres: `
CREATE TABLE ${HOME_VERSION} (home INTEGER NOT NULL, part INTEGER NOT NULL, slot INTEGER NOT NULL, version BIGINT NOT NULL,
  PRIMARY KEY (home, part, slot)) ${STORAGE};
CREATE TABLE ${SHARED_VERSION} (part INTEGER NOT NULL, slot INTEGER NOT NULL, version BIGINT NOT NULL,
  PRIMARY KEY (part, slot)) ${STORAGE};
INSERT INTO ${HOME_VERSION} (home, part, slot, version) SELECT home, 0, 0, 0 FROM generate_series(0, ${HOMES - 1}) AS home;
`,
    },
  }),
]

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
    return this.transaction.commit(
      homes.size === 0 ? statements : [...statements, ...countUp(homes, dialect)],
    )
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
export const countUpAll = (dialect: Dialect): Sql[] => countUp(new Set([EVERY_HOME]), dialect)

/**
 * SQLite has one writer, so that one number counts for all homes: it shows what has changed since it was last read.
 * On PostgreSQL each home has its own, the sum of several rows: connections that change a home at the same time count
 * in different rows; with one row PostgreSQL would refuse all but one of them.
 */
function countUp(homes: ReadonlySet<number>, dialect: Dialect): Sql[] {
  // always in the same order, so that no two wait for each other
  const ordered = [...homes].sort((one, other) => one - other)
  if (dialect === 'sqlite') {
    const next = sql`(SELECT COALESCE(MAX(version), 0) + 1 FROM home_version)`
    const rows = ordered.map((home) => sql`(${home}, 0, ${next})`)
    return [
      sql`INSERT INTO home_version (home, slot, version) VALUES ${joinSql(rows)}
        ON CONFLICT (home, slot) DO UPDATE SET version = excluded.version`,
    ]
  }
  const slot = sql`pg_backend_pid() % ${SLOTS}`
  const ofDids = ordered.filter((home) => !isShared(home))
  const shared = ordered.filter(isShared).map((home) => sql`(${home}, ${slot}, 1)`)
  const rows = ofDids.map((home) => sql`(${home % HOMES}, ${Math.floor(home / HOMES)}, ${slot}, 1)`)
  return [
    ...(rows.length === 0
      ? []
      : [
          sql`INSERT INTO home_version (home, part, slot, version) VALUES ${joinSql(rows)}
            ON CONFLICT (home, part, slot) DO UPDATE SET version = home_version.version + 1`,
        ]),
    ...(shared.length === 0
      ? []
      : [
          sql`INSERT INTO shared_home_version (part, slot, version) VALUES ${joinSql(shared)}
            ON CONFLICT (part, slot) DO UPDATE SET version = shared_home_version.version + 1`,
        ]),
  ]
}

const isShared = (home: number): boolean => home === EVERY_HOME || home === SHARED_HOME

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
 * showed. Where rows are distributed, each home has its server, which also reports on what all share: as far as it has
 * that, since a change of it reaches one server after the other.
 */
export class PostgresHomeWatch implements HomeWatch {
  readonly dialect = 'postgres'
  readonly seesAll = false
  private readonly versions = new Map<string, string>()
  private readonly servers = new Set<string>()

  constructor(private readonly reader: Reader) {}

  async changed(homes: ReadonlySet<number>): Promise<readonly number[]> {
    const ofDids = [...new Set([...homes].filter((home) => !isShared(home)).map((home) => home % HOMES))]
    const rows = await this.reader.query<VersionRow>(selectVersions(ofDids))
    if (rows.some(({ server }) => !this.servers.has(server))) this.versions.clear()
    const changed = rows.flatMap((row) => this.note(row))
    // Nothing says what has changed if rows were removed.
    return rows.length < ofDids.length ? [EVERY_HOME, ...changed] : changed
  }

  /** @returns the homes whose versions are other ones than before */
  private note({ home, document, resources, every, shared, server }: VersionRow): number[] {
    this.servers.add(server)
    const found: (readonly [home: number, of: string, version: string])[] = [
      [EVERY_HOME, server, every ?? NONE],
      [SHARED_HOME, server, shared ?? NONE],
    ]
    if (home !== null) {
      found.push([home, '', `${document ?? NONE} ${server}`])
      found.push([home + RESOURCES, '', `${resources ?? NONE} ${server}`])
    }
    return found.flatMap(([changed, of, version]) => {
      const key = `${changed} ${of}`
      const before = this.versions.get(key)
      this.versions.set(key, version)
      return version === before ? [] : [changed]
    })
  }
}

interface VersionRow {
  /** of a DID; none if only the shared ones were asked for */
  home: number | null
  document: string | null
  resources: string | null
  every: string | null
  shared: string | null
  server: string
}

/** Of a home in which nothing has been counted. */
const NONE = ''

/**
 * A lateral join, as Citus leaves it to the servers of the homes; it would copy the result of any other query of the
 * shared versions to all servers first.
 */
function selectVersions(ofDids: readonly number[]): Sql {
  const server = sql`CAST(pg_postmaster_start_time() AS TEXT) AS server`
  const shared = sql`${sumOf(EVERY_HOME)} AS every, ${sumOf(SHARED_HOME)} AS shared`
  if (ofDids.length === 0)
    return sql`SELECT NULL AS home, NULL AS document, NULL AS resources, ${shared}, ${server} FROM shared_home_version`
  return sql`SELECT h.home, h.document, h.resources, s.every, s.shared, ${server}
    FROM (SELECT home, ${sumOf(0)} AS document, ${sumOf(RESOURCES / HOMES)} AS resources FROM home_version
      WHERE home IN (${joinSql([...ofDids].sort((one, other) => one - other))}) GROUP BY home) h
    CROSS JOIN LATERAL (SELECT ${shared} FROM shared_home_version WHERE h.home >= 0) s`
}

const sumOf = (part: number): Sql =>
  sql`CAST(SUM(version) FILTER (WHERE part = ${new Sql([String(part)], [])}) AS TEXT)`
