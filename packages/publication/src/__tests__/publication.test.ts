import assert from 'node:assert/strict'
import {
  asDid,
  asListName,
  AgentError,
  type PublishedSubject,
  type Publisher,
  type ReadPublished,
} from '@vidimus/core-types'
import { Database } from '@vidimus/database'
import { migratedDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { until } from '../../../../test/support/until.js'
import { readMarks } from '../due-subjects.js'
import { migrations, Publication, type PublicationOptions } from '../index.js'

const TABLES = { migrations: [migrations] }
const list = (name: string): PublishedSubject => ({
  kind: 'list',
  did: asDid('did:cheqd:testnet:x'),
  statusListName: asListName(name),
  resourceType: 'TokenStatusList',
})

const away = () => new AgentError('unavailable', 'the shelf is away')

/** A place that keeps in memory which number of each list it has. */
class Shelf implements Publisher {
  readonly place = 'a shelf'
  readonly has = new Map<string, string>()
  readonly writes: string[] = []
  before: ((name: string) => Promise<void>) | undefined
  isAway = false
  wasFilled = false

  begin = () => Promise.resolve()
  pass = 0
  lastPass = () => (this.isAway ? Promise.reject(away()) : Promise.resolve(this.pass))
  notePass = (pass: number) => {
    this.pass = Math.max(this.pass, pass)
    return Promise.resolve()
  }
  stored = ({ path }: { path: string }) => {
    const body = this.has.get(path)
    return Promise.resolve(body === undefined ? undefined : { body: Buffer.from(body) })
  }
  async *paths() {
    yield* await Promise.resolve(this.has.keys())
  }
  compare = () => Promise.resolve([])
  check = () => Promise.resolve()
  isFilled = () => Promise.resolve(this.wasFilled)
  noteFilled = () => {
    this.wasFilled = true
    return Promise.resolve()
  }

  async publish(read: ReadPublished): Promise<void> {
    if (this.isAway) throw away()
    const document = await read()
    const [file] = document?.files ?? []
    if (!file) return
    await this.before?.(file.path)
    this.has.set(file.path, String(file.body))
    this.writes.push(`${file.path} ${String(file.body)}`)
  }
}

for (const place of PLACES) {
  describe(`Publication (${place})`, () => {
    let database: Database
    let others: Database[]
    let shelf: Shelf
    /** what the ledger has */
    let ledger: Map<string, number>
    let open: Publication[]

    beforeEach(async () => {
      const url = await migratedDatabase(place, TABLES)
      const databases = [new Database({ url, ...TABLES }), new Database({ url, ...TABLES })]
      for (const one of databases) await one.lifecycle.start()
      ;[database, ...others] = databases as [Database, Database]
      shelf = new Shelf()
      ledger = new Map()
      open = []
    })
    afterEach(async () => {
      for (const publication of open) await publication.lifecycle.stop()
      for (const one of [database, ...others]) await one.lifecycle.stop()
    })

    const publicationOn = (on: Database, options: Partial<PublicationOptions> = {}) => {
      const publication = new Publication({ database: on, publisher: shelf, ...options })
      publication.useSource({
        headers: {},
        preflight: {},
        didAt: () => undefined,
        read(subject) {
          const { statusListName: path = '' } = subject.kind === 'list' ? subject : {}
          const body = Buffer.from(String(ledger.get(path)))
          const file = { path, form: 'x', isUsual: true, contentType: 'x', cacheControl: 'x', body }
          return Promise.resolve({ files: [file], history: [], gone: [] })
        },
      })
      open.push(publication)
      return publication
    }
    const change = (publication: Publication, name: string) =>
      database.write((connection) => {
        ledger.set(name, (ledger.get(name) ?? 0) + 1)
        publication.mark(connection, list(name))
      })

    it('publishes a change, once for several changes of one subject', async () => {
      const publication = publicationOn(database)
      for (let n = 0; n < 3; n += 1) await change(publication, 'one')
      await change(publication, 'two')
      publication.begin()
      await until(() => shelf.has.size === 2)
      assert.deepEqual([...shelf.writes].sort(), ['one 3', 'two 1'])
      await until(async () => (await readMarks(database, list('one'))) === undefined)
    })

    it('publishes again if something changes during publication', async () => {
      const publication = publicationOn(database)
      await change(publication, 'one')
      shelf.before = async () => {
        shelf.before = undefined
        await change(publication, 'one')
      }
      publication.begin()
      await until(() => shelf.has.get('one') === '2')
      assert.deepEqual(shelf.writes, ['one 1', 'one 2'])
    })

    it('forgets a change that is rolled back', async () => {
      const publication = publicationOn(database)
      const undone = database.write((connection) => {
        publication.mark(connection, list('one'))
        throw new Error('undone')
      })
      await assert.rejects(undone, /undone/)
      assert.equal(await readMarks(database, list('one')), undefined)
    })

    it('reports when a change is published, whatever changes in the meantime', async () => {
      const publication = publicationOn(database)
      await change(publication, 'one')
      shelf.before = async () => {
        await change(publication, 'one')
      }
      const published = publication.published(list('one'))
      publication.begin()
      assert.equal(await published, true)
      assert.ok(Number(shelf.has.get('one')) >= 1)
      shelf.before = undefined
    })

    it('does not wait forever, or for what was published long ago', async () => {
      const publication = publicationOn(database, { waitMs: 60 })
      assert.equal(await publication.published(list('one')), true)
      await change(publication, 'one')
      assert.equal(await publication.published(list('one')), false)
    })

    it('is done by another process if this one does not, and by one at a time', async () => {
      const [first, second] = [publicationOn(database), publicationOn(others[0] ?? assert.fail())]
      for (let n = 0; n < 20; n += 1) await change(first, `list ${n}`)
      let atOnce = 0
      const publishing = new Set<string>()
      shelf.before = async (name) => {
        assert.equal(publishing.has(name), false)
        publishing.add(name)
        atOnce += 1
        await new Promise((resolve) => setImmediate(resolve))
        publishing.delete(name)
      }
      first.begin()
      second.begin()
      await until(() => shelf.has.size === 20)
      assert.equal(atOnce, 20)
    })

    it('continues with everything else if one subject fails, and retries that one', async () => {
      const publication = publicationOn(database)
      let failures = 0
      shelf.before = async (name) => {
        if (name !== 'one' || failures > 0) return
        failures += 1
        throw new AgentError('version_conflict', 'ahead')
      }
      await change(publication, 'one')
      await change(publication, 'two')
      publication.begin()
      await until(() => shelf.has.has('two'))
      await until(() => shelf.has.has('one'))
      const [counted] = await (publication.measurements[0]?.read() ?? assert.fail())
      assert.equal(counted?.value, 1)
    })

    it('catches up once the destination is back, and reports how long it has been pending', async () => {
      let now = Date.now()
      const publication = publicationOn(database, { clock: () => new Date(now) })
      shelf.isAway = true
      for (let n = 0; n < 5; n += 1) await change(publication, `list ${n}`)
      publication.begin()
      now += 90_000
      const lag = publication.measurements[1] ?? assert.fail()
      assert.equal((await lag.read())[0]?.value, 90)
      shelf.isAway = false
      now += 600_000
      await until(() => shelf.has.size === 5)
      await until(async () => (await lag.read())[0]?.value === 0)
    })

    it('fills a destination in an unknown state, and only that', async () => {
      const subjects = ['one', 'two', 'three'].map(list)
      const page = (after: PublishedSubject | undefined, limit: number) =>
        Promise.resolve(after ? [] : subjects.slice(0, limit))
      for (const name of ['one', 'two', 'three']) ledger.set(name, 1)
      const publication = publicationOn(database)
      publication.adopt({ page })
      publication.begin()
      await until(() => shelf.has.size === 3)
      const again = publicationOn(others[0] ?? assert.fail())
      again.adopt({ page })
      again.begin()
      await change(again, 'four')
      await until(() => shelf.has.has('four'))
      assert.equal(shelf.writes.length, 4)
      assert.deepEqual(await again.publishAll(), { subjects: 3, left: 0 })
      assert.equal(shelf.writes.length, 7)
      await publication.lifecycle.stop()
      // Somebody has replaced it by an empty one.
      shelf.wasFilled = false
      const later = publicationOn(database)
      later.adopt({ page })
      later.begin()
      await until(() => shelf.writes.length === 10)
    })
  })
}
