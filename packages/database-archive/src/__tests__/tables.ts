import { compareTextByBytes, Database, joinSql, sql } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'
import { freshDatabase, type Place } from '../../../../test/support/fresh-database.js'

/** Tables with every type of column, references, and numbers that the database gives; for the tests of this package. */
export class CreateShelves1700000000000 implements MigrationInterface {
  readonly name = 'CreateShelves1700000000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    const postgres = queryRunner.connection.options.type === 'postgres'
    const [bytes, time] = postgres ? ['BYTEA', 'TIMESTAMP'] : ['BLOB', 'datetime']
    const numbered = postgres ? 'BIGINT GENERATED ALWAYS AS IDENTITY' : 'INTEGER'
    await queryRunner.query(
      `CREATE TABLE shelf (id TEXT PRIMARY KEY NOT NULL, "made at" ${time}, open boolean)`,
    )
    // Refers to a table behind it in the alphabet; on one kind of database alone, as it happens with others' tables.
    const reference = postgres ? 'REFERENCES shelf (id)' : ''
    await queryRunner.query(
      `CREATE TABLE book (shelf TEXT NOT NULL ${reference}, nr BIGINT NOT NULL, title TEXT, page ${bytes}, PRIMARY KEY (shelf, nr))`,
    )
    await queryRunner.query(
      `CREATE TABLE loan (sequence ${numbered} PRIMARY KEY ${postgres ? '' : 'AUTOINCREMENT'}, who VARCHAR NOT NULL)`,
    )
    for (const statement of postgres ? LOANS_STAY.postgres : LOANS_STAY.sqlite)
      await queryRunner.query(statement)
    await compareTextByBytes(queryRunner, ['shelf'])
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['loan', 'book', 'shelf']) await queryRunner.query(`DROP TABLE ${table}`)
  }
}

/** As rows of the audit trail. */
const LOANS_STAY = {
  sqlite: ["CREATE TRIGGER loan_guard BEFORE DELETE ON loan BEGIN SELECT RAISE(ABORT, 'loans stay'); END"],
  postgres: [
    `CREATE FUNCTION loans_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'loans stay'; END $$`,
    'CREATE TRIGGER loan_guard BEFORE DELETE ON loan FOR EACH ROW EXECUTE FUNCTION loans_stay()',
    'CREATE TRIGGER loan_truncate_guard BEFORE TRUNCATE ON loan EXECUTE FUNCTION loans_stay()',
  ],
}

/** A further version of the tables. */
export class CreateNote1700000000001 implements MigrationInterface {
  readonly name = 'CreateNote1700000000001'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE note (id TEXT PRIMARY KEY NOT NULL)')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE note')
  }
}

/** A database with these tables that is not opened yet. */
export const closedDatabase = (url: string, ...further: (new () => MigrationInterface)[]): Database =>
  new Database({ url, migrations: [[CreateShelves1700000000000, ...further]] })

export async function openedDatabase(place: Place): Promise<Database> {
  const database = closedDatabase(await freshDatabase(place))
  await database.lifecycle.start()
  return database
}

/** Puts something of everything there. */
export async function fill(database: Database, books = 20): Promise<void> {
  await database.write(async (connection) => {
    for (const [id, at] of Object.entries(SHELVES)) {
      await connection.run(sql`INSERT INTO shelf (id, "made at", open) VALUES (${id}, ${at}, TRUE)`)
    }
    await connection.run(sql`INSERT INTO shelf (id, "made at", open) VALUES ('closed', NULL, FALSE)`)
    for (const who of ['Ada', 'Bo', 'Cy']) await connection.run(sql`INSERT INTO loan (who) VALUES (${who})`)
  })
  for (let n = 0; n < books; n += 500) {
    await database.write(async (connection) => {
      const rows = Array.from({ length: Math.min(500, books - n) }, (_, m) => book(n + m))
      await connection.run(sql`INSERT INTO book (shelf, nr, title, page) VALUES ${joinSql(rows)}`)
    })
  }
}

const SHELVES = {
  ä: '2026-01-02T03:04:05.678Z',
  a: '2026-01-02 03:04:05',
  Z: '2026-01-02 03:04:05.120',
  _: null,
}

const book = (n: number) => {
  const [shelf = ''] = Object.keys(SHELVES).slice(n % 4)
  const page = Buffer.from([0, 255, n % 256])
  return sql`(${shelf}, CAST(${`${9_007_199_254_740_000n + BigInt(n)}`} AS BIGINT), ${n % 3 ? `title\n"${n}"\u2028` : null}, ${page})`
}
