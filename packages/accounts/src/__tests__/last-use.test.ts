import assert from 'node:assert/strict'
import { Database } from '@vidimus/database'
import { writeLastUses } from '../api-key-rows.js'
import { Accounts } from '../index.js'
import { migrations } from '@vidimus/custody'
import { LastUse } from '../last-use.js'
import { removeFolder, temporaryFolder } from '../../../custody/src/__tests__/set-up.js'
import { layMigratedDatabase } from '../../../../test/support/fresh-database.js'

const TABLES = { migrations: [migrations] }

describe('LastUse', () => {
  let now: number
  let written: { id: string; at: string }[]
  let failing: boolean
  let uses: LastUse
  beforeEach(() => {
    now = Date.parse('2026-05-01T12:00:00.000Z')
    written = []
    failing = false
    uses = new LastUse(
      async (all) => {
        if (failing) throw new Error('no database')
        written.push(...all.map(({ id, at }) => ({ id, at: at.toISOString().slice(14, 19) })))
      },
      () => new Date(now),
    )
  })
  afterEach(() => uses.close())

  const useAt = async (seconds: number, id = 'k') => {
    now = Date.parse('2026-05-01T12:00:00.000Z') + seconds * 1000
    uses.note(id)
    await uses.flush()
  }

  it('writes the first use promptly, and then the latest one once a minute', async () => {
    for (let second = 0; second <= 130; second += 5) await useAt(second)
    assert.deepEqual(written, [
      { id: 'k', at: '00:00' },
      { id: 'k', at: '01:00' },
      { id: 'k', at: '02:00' },
    ])
  })

  it('never writes within a minute of the last write, however old the recorded use', async () => {
    await useAt(0)
    await useAt(1)
    now += 74_000
    await uses.flush()
    await useAt(80)
    assert.deepEqual(written, [
      { id: 'k', at: '00:00' },
      { id: 'k', at: '00:01' },
    ])
  })

  it('keeps a use that could not be written and retries', async () => {
    failing = true
    await useAt(0)
    await useAt(10)
    failing = false
    await useAt(20, 'other')
    assert.deepEqual(written, [
      { id: 'k', at: '00:10' },
      { id: 'other', at: '00:20' },
    ])
  })

  it('writes everything when it is stopped', async () => {
    await useAt(0)
    await useAt(7)
    await uses.close()
    assert.deepEqual(written.at(-1), { id: 'k', at: '00:07' })
  })
})

describe('last use of an API key', () => {
  let folder: string
  let database: Database
  beforeEach(async () => {
    folder = await temporaryFolder()
    await layMigratedDatabase(folder, TABLES)
    database = new Database({ url: null, dataDirectory: folder, ...TABLES })
    await database.lifecycle.start()
  })
  afterEach(async () => {
    await database.lifecycle.stop()
    await removeFolder(folder)
  })

  it('is shown once it is written', async () => {
    const now = new Date('2026-05-01T12:00:00.000Z')
    const accounts = new Accounts(database, { clock: () => now })
    await accounts.create('acme')
    const { apiKey } = await accounts.createApiKey({ account: 'acme' })
    await accounts.authenticate(`${apiKey.slice(0, -1)}?`)
    assert.equal((await accounts.listApiKeys())[0]?.lastUsedAt, undefined)
    await accounts.authenticate(apiKey)
    await accounts.lifecycle.stop()
    assert.equal((await accounts.listApiKeys())[0]?.lastUsedAt, now.toISOString())
  })

  it('never goes back, whichever process writes last', async () => {
    const accounts = new Accounts(database)
    await accounts.create('acme')
    const { id } = await accounts.createApiKey({ account: 'acme' })
    for (const minute of ['05', '00', '06', '01']) {
      const at = new Date(`2026-05-01T12:${minute}:00.000Z`)
      await database.write((connection) => writeLastUses(connection, [{ id, at }]))
    }
    assert.equal((await accounts.listApiKeys())[0]?.lastUsedAt, '2026-05-01T12:06:00.000Z')
  })

  it('fails no request when it cannot be written', async () => {
    const accounts = new Accounts(database)
    await accounts.create('acme')
    const { apiKey } = await accounts.createApiKey({ account: 'acme' })
    database.write = () => Promise.reject(new Error('disk full'))
    assert.ok(await accounts.authenticate(apiKey))
    await accounts.lifecycle.stop()
  })
})
