import type { MigrationInterface, QueryRunner } from 'typeorm'
import { homeOfDid } from './homes.js'
import type { RebuiltTable, Reference } from './rebuild-tables.js'
import { runInMigration } from './run-in-migration.js'
import { joinSql, sql } from './sql.js'

/** Homes computed at a time, so that memory does not depend on how many DIDs there are. */
const TOGETHER = 200

/** A table whose rows get a home. */
export interface TableWithoutHomes {
  table: string
  /** an expression for the home of a row, see {@link homeOfText} */
  home: string
  /** the columns of its primary key, then of its unique constraints */
  keys: readonly (readonly string[])[]
  formerKeys: readonly (readonly string[])[]
  /** see {@link RebuiltTable} */
  counted?: string
  /** to tables of the same migration; all others stay */
  references?: readonly Reference[]
  /** the same, and those to {@link unreferenced} */
  formerReferences?: readonly Reference[]
  /** other tables that it no longer refers to */
  unreferenced?: readonly string[]
}

/** The home of a text, one of those that a migration has collected. */
export const homeOfText = (column: string): string =>
  `(SELECT "h"."home" FROM "row_home" "h" WHERE "h"."text" = ${column})`

/**
 * A migration after which the rows of some tables have the home of their DID, as part of their keys. Databases cannot
 * compute it alike, so a table maps texts to homes meanwhile.
 */
export abstract class HomesMigration implements MigrationInterface {
  abstract readonly name: string
  /** SELECTs of the texts, as `"text"`, whose homes are needed */
  protected abstract readonly texts: readonly string[]
  /** those that others refer to first */
  protected abstract readonly tables: readonly TableWithoutHomes[]

  async up(queryRunner: QueryRunner): Promise<void> {
    await findHomes(queryRunner, this.texts)
    await rebuild(queryRunner, this.tables)
    await this.withHomes(queryRunner)
    await queryRunner.query('DROP TABLE "row_home"')
  }

  /** What else needs the homes of texts. */
  protected withHomes(_queryRunner: QueryRunner): Promise<void> {
    return Promise.resolve()
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await rebuild(
      queryRunner,
      this.tables.map(({ formerKeys: keys, formerReferences: references = [], home: _, ...table }) => ({
        ...table,
        keys,
        references,
      })),
    )
  }
}

/** Loaded when it is needed: every command loads the migrations. */
async function rebuild(queryRunner: QueryRunner, tables: readonly RebuiltTable[]): Promise<void> {
  const { rebuildTables } = await import('./rebuild-tables.js')
  await rebuildTables(queryRunner, tables)
}

async function findHomes(queryRunner: QueryRunner, texts: readonly string[]): Promise<void> {
  const collation = queryRunner.connection.options.type === 'postgres' ? 'COLLATE "C"' : ''
  await queryRunner.query(
    `CREATE TABLE "row_home" ("text" TEXT ${collation} PRIMARY KEY NOT NULL, "home" INTEGER NOT NULL)`,
  )
  for (const select of texts) {
    // WHERE: otherwise SQLite takes ON for that of a join.
    await queryRunner.query(`INSERT INTO "row_home" ("text", "home") SELECT DISTINCT "t"."text", -1
      FROM (${select}) "t" WHERE 1 = 1 ON CONFLICT ("text") DO NOTHING`)
  }
  for (let last: string | undefined; ;) {
    const after = last === undefined ? sql`` : sql`WHERE "text" > ${last}`
    const rows = await runInMigration<{ text: string }>(
      queryRunner,
      sql`SELECT "text" FROM "row_home" ${after} ORDER BY "text" LIMIT ${TOGETHER}`,
    )
    last = rows.at(-1)?.text
    if (last === undefined) return
    const homes = rows.map(({ text }) => sql`(${text}, ${homeOfDid(text)})`)
    await runInMigration(
      queryRunner,
      sql`INSERT INTO "row_home" ("text", "home") VALUES ${joinSql(homes)}
        ON CONFLICT ("text") DO UPDATE SET "home" = excluded."home"`,
    )
  }
}
