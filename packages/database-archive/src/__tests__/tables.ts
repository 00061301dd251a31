import { baseline, Database, joinSql, sql, type MigrationClass } from '@vidimus/database'
import { freshDatabase, type Place } from '../../../../test/support/fresh-database.js'

/** Tables with every type of column, references, and numbers that the database gives; for the tests of this package. */
const SHELVES_BASELINE = baseline({
  room: 'Shelves',
  place: 90,
  // Loans stay, as rows of the audit trail. book refers to a table behind it in the alphabet; on one kind of database alone, as it happens with others' tables.
  only: {
    sqlite: `
CREATE TABLE shelf (id TEXT PRIMARY KEY NOT NULL, "made at" datetime, open boolean);
CREATE TABLE book (shelf TEXT NOT NULL, nr BIGINT NOT NULL, title TEXT, page BLOB, PRIMARY KEY (shelf, nr));
CREATE TABLE loan (sequence INTEGER PRIMARY KEY AUTOINCREMENT, who VARCHAR NOT NULL);
CREATE TRIGGER loan_guard BEFORE DELETE ON loan BEGIN SELECT RAISE(ABORT, 'loans stay'); END;
`,
    postgres: `
CREATE TABLE shelf (id TEXT COLLATE "C" PRIMARY KEY NOT NULL, "made at" TIMESTAMP, open boolean);
CREATE TABLE book (shelf TEXT NOT NULL REFERENCES shelf (id), nr BIGINT NOT NULL, title TEXT, page BYTEA, PRIMARY KEY (shelf, nr));
CREATE TABLE loan (sequence BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, who VARCHAR NOT NULL);
CREATE FUNCTION loans_stay() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'loans stay'; END $$;
CREATE TRIGGER loan_guard BEFORE DELETE ON loan FOR EACH ROW EXECUTE FUNCTION loans_stay();
CREATE TRIGGER loan_truncate_guard BEFORE TRUNCATE ON loan EXECUTE FUNCTION loans_stay();
`,
  },
})

/** A further version of the tables. */
export const NOTE_BASELINE = baseline({
  room: 'Note',
  place: 91,
  tables: 'CREATE TABLE note (\n  id TEXT PRIMARY KEY NOT NULL\n);\n',
})

/** A database with these tables that is not opened yet. */
export const closedDatabase = (url: string, ...further: MigrationClass[]): Database =>
  new Database({ url, migrations: [[SHELVES_BASELINE, ...further]] })

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
