import { createHash } from 'node:crypto'
import type { MigrationInterface, QueryRunner } from 'typeorm'
import type { Dialect } from './sql.js'
import { VACUUM_OFTEN } from './vacuum-often.js'

export type MigrationClass = (new () => MigrationInterface) & RememberedTables

/** A migration's declaration about the tables that it creates. */
export interface RememberedTables {
  /** names of tables whose rows may be cached (`Database.remember`); those of others may not */
  readonly remembered?: readonly string[]
}

/** The tables of a package. */
export interface Room {
  /** begins the name of its migration */
  room: string
  /** 0 to 99: those that others refer to come first */
  place: number
  /** statements as SQLite has them, each with `;` at the end of its last line */
  tables?: string
  /** what one kind of database has in another way, after that */
  only?: Readonly<Record<Dialect, string>>
  /** tables with few rows: nothing is gained by vacuuming them often */
  small?: readonly string[]
  /** see `RememberedTables` */
  remembered?: readonly string[]
  /** whether it is also used without accounts, to which nothing refers then */
  standsAlone?: boolean
}

/** Migrations are applied in the order of the number at the end of their names. */
const FIRST = 1_801_000_000_000

/** The package that a baseline is of, if it is one. */
export const roomOf = (migration: string): string | undefined => BASELINE.exec(migration)?.[1]

const BASELINE = /^(\w+)-[0-9a-f]{8}-\d{13}$/

/**
 * The migration that creates the tables of a package. Until the first release it is edited in place: its name contains a
 * digest of its statements, so that a database or an archive made by other ones is refused and not misread.
 */
export function baseline({
  room,
  place,
  small = [],
  remembered = [],
  standsAlone,
  ...definition
}: Room): MigrationClass {
  const statements = {
    sqlite: split((definition.tables ?? '') + (definition.only?.sqlite ?? '')),
    postgres: [
      ...split(definition.tables ?? '').map((statement) => forPostgres(statement, small)),
      ...split(definition.only?.postgres ?? ''),
    ],
  }
  const digest = createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 8)
  return class implements MigrationInterface {
    static readonly remembered = remembered

    readonly name = `${room}-${digest}-${FIRST + place}`

    async up(queryRunner: QueryRunner): Promise<void> {
      const { type } = queryRunner.connection.options
      const isAlone = standsAlone === true && !(await queryRunner.hasTable('account'))
      for (const statement of statements[type === 'postgres' ? type : 'sqlite'])
        await queryRunner.query(isAlone ? statement.replaceAll(' REFERENCES account (id)', '') : statement)
    }

    down(): Promise<void> {
      return Promise.reject(new Error('tables are not taken back: begin with an empty database'))
    }
  }
}

const split = (statements: string): string[] => statements.split(/;\n/).filter((text) => text.trim() !== '')

const COUNTED = /^( *(\w+)) INTEGER PRIMARY KEY AUTOINCREMENT/m

/**
 * What a table of SQLite is on PostgreSQL. Text compares by bytes, as it does there: in the order of a language, pages would
 * differ, and prefixes could not be found over an index. The home is part of every key, of a counter too.
 *
 * @see https://www.postgresql.org/docs/current/collation.html
 */
function forPostgres(statement: string, small: readonly string[]): string {
  const table = /^CREATE TABLE "?([\w-]+)/m.exec(statement)?.[1]
  if (table === undefined) return statement
  const counter = COUNTED.exec(statement)?.[2]
  const key = counter === undefined ? '\n)' : `,\n  PRIMARY KEY (${counter}, home)\n)`
  const columns = statement
    .replace(COUNTED, '$1 BIGINT GENERATED ALWAYS AS IDENTITY')
    .replace(/\b(TEXT|varchar)\b/g, '$1 COLLATE "C"')
    .replace(/\bBLOB\b/g, 'BYTEA')
    .replace(/\n\)$/, key)
  return small.includes(table) ? columns : `${columns} WITH (${VACUUM_OFTEN})`
}
