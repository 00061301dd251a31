import assert from 'node:assert/strict'
import { freshDatabase } from '../../../../test/support/fresh-database.js'
import { Database, SHARED_HOME, sql, type Reader } from '../index.js'
import { PostgresHomeWatch } from '../home-versions.js'
import { EVERY_HOME, homeOfResources } from '../homes.js'
import { CreateNote1700000000000 } from './migrations.js'

const DID = 'did:example:aa'
const RESOURCES = homeOfResources(DID)

describe('versions of homes on PostgreSQL', () => {
  let database: Database
  beforeEach(async () => {
    const url = await freshDatabase('PostgreSQL')
    database = new Database({ url, migrations: [[CreateNote1700000000000]] })
    await database.lifecycle.start()
  })
  afterEach(() => database.lifecycle.stop())

  const change = (...homes: number[]) =>
    database.write((connection) => connection.run(sql`DELETE FROM note`.changing(...homes)))
  const watching = () => {
    const asked: string[] = []
    const reader: Reader = {
      query: (statement) => {
        asked.push(statement.text('postgres'))
        return database.query(statement)
      },
    }
    return { asked, watch: new PostgresHomeWatch(reader) }
  }
  const seen = async (watch: PostgresHomeWatch, ...homes: number[]) =>
    [...new Set(await watch.changed(new Set(homes)))].sort((one, other) => one - other)

  it('are asked for together with those of all DIDs, in one statement', async () => {
    const { asked, watch } = watching()
    await seen(watch, 5, 600)
    assert.deepEqual(await seen(watch, 5, 600), [])
    await change(5)
    assert.deepEqual(await seen(watch, 5, 600), [5])
    await change(SHARED_HOME)
    assert.deepEqual(await seen(watch, 600), [SHARED_HOME])
    await database.write((connection) => connection.run(sql`DELETE FROM note`))
    assert.deepEqual(await seen(watch, SHARED_HOME), [EVERY_HOME])
    await seen(watch, RESOURCES)
    await change(RESOURCES)
    assert.deepEqual(await seen(watch, RESOURCES, 5), [RESOURCES])
    assert.equal(asked.length, 7)
  })

  it('are those of all homes if rows are missing', async () => {
    const { watch } = watching()
    await seen(watch, 5, 600)
    await database.write((connection) => connection.run(sql`DELETE FROM home_version WHERE home = 5`))
    assert.ok((await seen(watch, 5, 600)).includes(EVERY_HOME))
    assert.deepEqual(await seen(watch, 600), [])
  })

  it('that concern all DIDs are noted from every server that reports them', async () => {
    const server = (name: string, every: string, home: number) =>
      ({ home, document: '1', resources: null, every, shared: null, server: name }) as const
    const answers = [
      [server('one', '1', 5), server('two', '1', 600)],
      [server('one', '2', 5)],
      [server('two', '1', 600)],
      [server('two', '2', 600)],
      [server('one', '2', 5), server('two', '2', 600)],
    ]
    const watch = new PostgresHomeWatch({ query: () => Promise.resolve((answers.shift() ?? []) as never[]) })
    await seen(watch, 5, 600)
    assert.deepEqual(await seen(watch, 5), [EVERY_HOME])
    assert.deepEqual(await seen(watch, 600), [])
    assert.deepEqual(await seen(watch, 600), [EVERY_HOME])
    assert.deepEqual(await seen(watch, 5, 600), [])
  })
})
