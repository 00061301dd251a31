import assert from 'node:assert/strict'
import type { MigrationInterface, QueryRunner } from 'typeorm'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { Database, homeOfDid, homeOfText, HomesMigration, Sql, sql, type MigrationClass } from '../index.js'

/** More than are computed at a time. */
const DIDS = 450
const OLD = [
  `CREATE TABLE "thing" ("did" TEXT NOT NULL, "name" TEXT NOT NULL, "label" TEXT, "n" BIGINT NOT NULL DEFAULT 7,
    PRIMARY KEY ("did", "name"), UNIQUE ("label", "did"))`,
  `CREATE INDEX "thing_by_label" ON "thing" ("label", "n") WHERE "n" > 3`,
]

class MakeThings1700000000001 implements MigrationInterface {
  readonly name = 'MakeThings1700000000001'
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of OLD) await queryRunner.query(statement)
  }
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE "thing"')
  }
}

class AddHomesToThings1700000000002 extends HomesMigration {
  readonly name: string = 'AddHomesToThings1700000000002'
  protected readonly texts = ['SELECT "did" AS "text" FROM "thing"']
  protected readonly tables = [
    {
      table: 'thing',
      home: homeOfText('"did"'),
      keys: [
        ['home', 'did', 'name'],
        ['home', 'label', 'did'],
      ],
      formerKeys: [
        ['did', 'name'],
        ['label', 'did'],
      ],
    },
  ]
}

class AddHomesAndFail1700000000002 extends AddHomesToThings1700000000002 {
  override readonly name = 'AddHomesAndFail1700000000002'
  override async up(queryRunner: QueryRunner): Promise<void> {
    await super.up(queryRunner)
    throw new Error('the power is gone')
  }
}

for (const place of PLACES) {
  describe(`migration to homes (${place})`, () => {
    let url: string
    const open = async (...migrations: MigrationClass[]) => {
      const database = new Database({ url, migrations: [migrations] })
      await database.lifecycle.start()
      return database
    }
    const didOf = (n: number) => `did:example:${n % 2 === 0 ? 'Ä' : 'a'}${n}`
    const thingsIn = (database: Database) =>
      database.query<{ did: string; name: string; label: string | null; n: number | string }>(
        sql`SELECT "did", "name", "label", "n" FROM "thing" ORDER BY "n"`,
      )

    beforeEach(async () => {
      url = await freshDatabase(place)
      const database = await open(MakeThings1700000000001)
      await database.write(async (connection) => {
        for (let n = 0; n < 2 * DIDS; n += 1) {
          connection.send(
            sql`INSERT INTO "thing" VALUES (${didOf(n % DIDS)}, ${`name ${n}`}, ${n % 3 ? `${n}` : null}, ${n})`,
          )
        }
      })
      await database.lifecycle.stop()
    })

    it('gives each row the home of its DID, and leaves everything else as it was', async () => {
      const before = await open(MakeThings1700000000001)
      const things = await thingsIn(before)
      await before.lifecycle.stop()
      const database = await open(MakeThings1700000000001, AddHomesToThings1700000000002)
      assert.deepEqual(await thingsIn(database), things)
      assert.equal(things.length, 2 * DIDS)
      const homes = await database.query<{ did: string; home: number }>(
        sql`SELECT "did", "home" FROM "thing"`,
      )
      for (const { did, home } of homes) assert.equal(home, homeOfDid(did))
      const [thing] = things
      const insert = (home: number, name: string, label: string) =>
        database.write((connection) =>
          connection.run(
            sql`INSERT INTO "thing" ("home", "did", "name", "label") VALUES (${home}, ${thing?.did ?? ''}, ${name}, ${label})`,
          ),
        )
      const home = homeOfDid(thing?.did ?? '')
      await assert.rejects(insert(home, thing?.name ?? '', 'x'), /UNIQUE|unique/)
      await insert(home, 'new', 'x')
      await assert.rejects(insert(home, 'other', 'x'), /UNIQUE|unique/)
      const [added] = await database.query<{ n: number | string }>(
        sql`SELECT "n" FROM "thing" WHERE "name" = 'new'`,
      )
      assert.equal(Number(added?.n), 7)
      await assert.rejects(
        database.write((connection) =>
          connection.run(sql`INSERT INTO "thing" ("did", "name") VALUES ('did:a:b', 'c')`),
        ),
        /NOT NULL|not-null/,
      )
      const index =
        place === 'SQLite'
          ? sql`SELECT sql AS "text" FROM sqlite_master WHERE name = 'thing_by_label'`
          : sql`SELECT indexdef AS "text" FROM pg_indexes WHERE indexname = 'thing_by_label'`
      const [{ text } = { text: '' }] = await database.query<{ text: string }>(index)
      assert.match(text, /WHERE .*n.* > 3/)
      await assert.rejects(database.query(sql`SELECT 1 FROM "row_home"`))
      await database.lifecycle.stop()
    })

    it('leaves the tables as they were if it does not come to its end', async () => {
      const failing = new Database({
        url,
        migrations: [[MakeThings1700000000001, AddHomesAndFail1700000000002]],
      })
      await assert.rejects(failing.lifecycle.start(), /the power is gone/)
      await failing.lifecycle.stop()
      const database = await open(MakeThings1700000000001)
      assert.equal((await thingsIn(database)).length, 2 * DIDS)
      for (const column of ['"thing"."home"', '"text"']) {
        const from = column === '"text"' ? 'row_home' : 'thing'
        await assert.rejects(database.query(new Sql([`SELECT ${column} FROM "${from}"`], [])))
      }
      await database.lifecycle.stop()
    })
  })
}
