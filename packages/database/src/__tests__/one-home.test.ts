import assert from 'node:assert/strict'
import { readLog } from '@vidimus/core-types'
import { freshDatabase } from '../../../../test/support/fresh-database.js'
import { changedHomes, Database, sql, type WriteOptions } from '../index.js'
import { CreateNote1700000000000 } from './migrations.js'

describe('homes of the rows that a statement changes', () => {
  it('are what its values for "home" are', () => {
    for (const [homes, statement] of [
      [[5], sql`INSERT INTO "a" ("b", "home", "c") VALUES (${9}, ${5}, 'x')`],
      [[5, 6], sql`INSERT INTO a (home, b) VALUES (${5}, COALESCE(${9}, ${8})), (${6}, ${7})`],
      [
        [5],
        sql`INSERT INTO a (b, home) VALUES (lower(${'x'}), ${5}) ON CONFLICT (home) DO UPDATE SET b = ${1}`,
      ],
      [[7], sql`INSERT INTO a (b, home, c) SELECT ${1}, ${7}, c FROM d WHERE b = ${3}`],
      [[3], sql`UPDATE a SET b = ${1} WHERE home = ${3} AND c = ${4}`],
      [[3, 4], sql`DELETE FROM a WHERE "home" IN (${3}, ${4}) AND b IN (${5}, ${6})`],
      [[1024], sql`UPDATE a SET b = 1 WHERE "home" = ${1024}`],
    ] as const)
      assert.deepEqual(changedHomes(statement), homes, statement.text('sqlite'))
  })

  it('are none of what it reads, nor of tables that have none', () => {
    for (const statement of [
      sql`SELECT b FROM a WHERE home = ${3}`,
      sql`INSERT INTO a (b, c) VALUES (${1}, ${2})`,
      sql`UPDATE a SET b = ${1} WHERE c = ${4}`,
      sql`INSERT INTO home_version (home, slot, version) VALUES (-1, 0, 1)`,
    ])
      assert.deepEqual(changedHomes(statement), [], statement.text('sqlite'))
  })
})

describe('a transaction that changes rows of several homes', () => {
  it('is logged once, unless it says why', async () => {
    const database = new Database({
      url: await freshDatabase('SQLite'),
      migrations: [[CreateNote1700000000000]],
    })
    await database.lifecycle.start()
    const told: string[] = []
    const end = readLog(({ level, fields }) => {
      if (level === 'error') told.push(String(fields.statements))
    })
    const change = (homes: readonly number[], options?: WriteOptions) =>
      database.write((connection) => {
        for (const home of homes) connection.send(sql`UPDATE place SET n = n + 1 WHERE home = ${home}`)
      }, options)
    try {
      await database.write((connection) => connection.run(sql`CREATE TABLE place (home INTEGER, n INTEGER)`))
      await change([1, 1])
      await change([1, 2], { spans: 'an example' })
      assert.deepEqual(told, [])
      for (let times = 0; times < 2; times += 1) await change([1, 2])
      assert.equal(told.length, 1)
      assert.match(told.join(), /^UPDATE place SET n = n \+ 1 WHERE home = \?; UPDATE/)
    } finally {
      end()
      await database.lifecycle.stop()
    }
  })
})
