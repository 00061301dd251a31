import { queueName } from '@vidimus/core-types'
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type Database } from '@vidimus/database'
import { freshDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { ArchiveReader } from '../archive-reader.js'
import { exportDatabase } from '../export-database.js'
import { importArchive, type ImportOptions } from '../import-archive.js'
import { refusedWith } from './refused-with.js'
import { closedDatabase, NOTE_BASELINE, fill, openedDatabase } from './tables.js'

const passphrase = 'correct horse battery staple'
const workFactor = 8

describe('export and import', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-archive-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const exported = (database: Database, name: string) =>
    exportDatabase({ database, file: join(folder, name), passphrase, workFactor })
  const imported = (database: Database, name: string, options: Partial<ImportOptions> = {}) =>
    importArchive({ database, file: join(folder, name), passphrase, stores: [], ...options })
  const digestsOf = async (name: string) => {
    const reader = await ArchiveReader.open(join(folder, name), passphrase)
    const { digests } = await reader.read(() => undefined)
    return [...digests.values()].sort((one, other) => (one.table < other.table ? -1 : 1))
  }
  const counted = async (database: Database) =>
    (await database.query<{ n: number }>(sql`SELECT COUNT(*) AS n FROM book`))[0]?.n

  for (const from of PLACES) {
    for (const to of PLACES) {
      it(`move everything from ${from} to ${to} and back`, async () => {
        const database = await openedDatabase(from)
        const target = closedDatabase(await freshDatabase(to))
        const back = closedDatabase(await freshDatabase(from))
        try {
          await fill(database)
          const first = await exported(database, 'first')
          assert.deepEqual([first.tables, first.rows], [3, 28])
          const summary = await imported(target, 'first', { most: 7 })
          assert.deepEqual([summary.rows, summary.startedOver, summary.unchanged], [28, false, false])
          await exported(target, 'second')
          await imported(back, 'second')
          await exported(back, 'third')
          const digests = await digestsOf('first')
          assert.deepEqual(await digestsOf('second'), digests)
          assert.deepEqual(await digestsOf('third'), digests)
          for (const each of [database, back]) {
            await each.write((connection) => connection.run(sql`INSERT INTO loan (who) VALUES ('Di')`))
          }
          const numbers = sql`SELECT sequence, who FROM loan ORDER BY sequence`
          assert.deepEqual(await back.query(numbers), await database.query(numbers))
          const times = sql`SELECT CAST("made at" AS TEXT) AS at FROM shelf WHERE id = 'a'`
          const [row] = await target.query<{ at: string }>(times)
          assert.match(row?.at ?? '', /^2026-01-02[ T]03:04:05/)
        } finally {
          for (const each of [database, target, back]) await each.lifecycle.stop()
        }
      })
    }

    it(`export a consistent snapshot of ${from} while it changes`, async () => {
      const database = await openedDatabase(from)
      try {
        await fill(database, 3_000)
        let changed: Promise<unknown> | undefined
        await exportDatabase({
          database,
          file: join(folder, 'moment'),
          passphrase,
          workFactor,
          onProgress: () => {
            changed ??= database.write((connection) => connection.run(sql`DELETE FROM book`))
          },
        })
        await changed
        assert.equal(await counted(database), 0)
        const books = (await digestsOf('moment')).find(({ table }) => table === 'book')
        assert.equal(books?.rows, 3_000)
      } finally {
        await database.lifecycle.stop()
      }
    })
  }

  it('report rows and texts that the target database cannot store', async () => {
    const source = await openedDatabase('SQLite')
    const [target, other] = await Promise.all([freshDatabase('PostgreSQL'), freshDatabase('PostgreSQL')])
    const databases = [closedDatabase(target), closedDatabase(other)] as const
    try {
      await source.write((connection) =>
        connection.run(sql`INSERT INTO book (shelf, nr) VALUES ('nowhere', 1)`),
      )
      await exported(source, 'orphan')
      await refusedWith(
        imported(databases[0], 'orphan'),
        'invalid_input',
        /refuses rows of the table book: .* foreign key/,
      )
      await source.write((connection) => connection.run(sql`UPDATE book SET title = ${'a\0b'}`))
      await exported(source, 'zero')
      await refusedWith(imported(databases[1], 'zero'), 'invalid_input', /table book .*U\+0000/)
      await source.write((connection) => connection.run(sql`UPDATE book SET title = ${Buffer.from('bytes')}`))
      await refusedWith(
        exported(source, 'bytes'),
        'invalid_input',
        /column title .* not a text, in the row \["nowhere","1"\]/,
      )
    } finally {
      for (const each of [source, ...databases]) await each.lifecycle.stop()
    }
  })

  describe('of one archive', () => {
    let source: Database
    before(async () => {
      source = await openedDatabase('SQLite')
      await fill(source)
    })
    after(() => source.lifecycle.stop())
    beforeEach(() => exported(source, 'archive'))

    const fresh = async (...further: Parameters<typeof closedDatabase>[1][]) =>
      closedDatabase(await freshDatabase('SQLite'), ...further)

    it('create a file readable by its owner only, never overwrite one and leave no other files behind', async () => {
      assert.equal((await stat(join(folder, 'archive'))).mode & 0o777, 0o600)
      await refusedWith(exported(source, 'archive'), 'invalid_input', /already exists/)
      await refusedWith(exported(source, 'no/archive'), 'invalid_input', /cannot be written/)
      await refusedWith(
        exportDatabase({ database: source, file: join(folder, 'short'), passphrase: 'eleven char' }),
        'invalid_input',
        /at least 12 characters/,
      )
      const interruption = new AbortController()
      interruption.abort()
      await refusedWith(
        exportDatabase({
          database: source,
          file: join(folder, 'interrupted'),
          passphrase,
          workFactor,
          signal: interruption.signal,
        }),
        'unavailable',
        /interrupted/,
      )
      assert.deepEqual(await readdir(folder), ['archive'])
    })

    it('refuse a wrong passphrase and files that are not archives', async () => {
      const target = await fresh()
      await refusedWith(
        importArchive({ database: target, file: join(folder, 'archive'), passphrase: 'wrong', stores: [] }),
        'invalid_input',
        /passphrase is wrong/,
      )
      await writeFile(join(folder, 'text'), 'not at all\n')
      await refusedWith(imported(target, 'text'), 'invalid_input', /not an archive/)
      await refusedWith(imported(target, 'nowhere'), 'invalid_input', /there is no file/)
      await assert.rejects(target.query(sql`SELECT 1`), /not open/)
    })

    it('refuse an archive that was changed or truncated anywhere, and write nothing', async () => {
      const bytes = await readFile(join(folder, 'archive'))
      const url = await freshDatabase('SQLite')
      const places = Array.from({ length: 40 }, (_, n) => Math.floor((n * bytes.length) / 40))
      const changes = [
        ...places.map((at) =>
          Buffer.concat([bytes.subarray(0, at), Buffer.from([(bytes[at] ?? 0) ^ 1]), bytes.subarray(at + 1)]),
        ),
        ...places.map((at) => bytes.subarray(0, at)),
        bytes.subarray(0, -1),
        Buffer.concat([bytes, Buffer.from('x')]),
      ]
      for (const changed of changes) {
        await writeFile(join(folder, 'changed'), changed)
        await refusedWith(
          imported(closedDatabase(url), 'changed'),
          'invalid_input',
          /was changed|damaged|cut off|no archive/,
        )
      }
      await assert.rejects(stat(url.slice('sqlite:'.length)), /ENOENT/)
    })

    it('refuse an archive of another schema version, naming the difference', async () => {
      await refusedWith(
        imported(await fresh(NOTE_BASELINE), 'archive'),
        'invalid_input',
        /this version has the migration Note-\S+, and the archive does not/,
      )
      const newer = await fresh(NOTE_BASELINE)
      await newer.lifecycle.start()
      await exported(newer, 'newer')
      await newer.lifecycle.stop()
      await refusedWith(
        imported(await fresh(), 'newer'),
        'invalid_input',
        /the archive has the migration Note-\S+, and this version does not/,
      )
    })

    it('refuse an archive with tables of before, naming what to export it with', async () => {
      for (const [name, says] of [
        [
          'CreateAccounts1700000000000',
          /the archive was written before .* export it with commit [0-9a-f]{8}$/,
        ],
        ['Shelves-00000000-1801000000090', /other tables .* export it with the commit that made it$/],
      ] as const) {
        const other = await fresh()
        await other.lifecycle.start()
        await other.write((connection) => connection.run(sql`UPDATE migrations SET name = ${name}`))
        await exported(other, name)
        await other.lifecycle.stop()
        await refusedWith(imported(await fresh(), name), 'invalid_input', says)
      }
    })

    it('refuse a non-empty database, and recognise one that has the same content', async () => {
      const target = await fresh()
      try {
        await imported(target, 'archive')
        assert.equal((await imported(target, 'archive')).unchanged, true)
        await target.write((connection) =>
          connection.run(sql`UPDATE book SET title = 'other' WHERE shelf = 'a'`),
        )
        await refusedWith(imported(target, 'archive'), 'invalid_input', /is not empty \(.*book/)
      } finally {
        await target.lifecycle.stop()
      }
    })

    for (const place of PLACES) {
      it(`start over after an interruption, with any archive, on ${place}`, async () => {
        const url = await freshDatabase(place)
        const interrupted = async (at: number) => {
          const target = closedDatabase(url)
          let steps = 0
          const onProgress: ImportOptions['onProgress'] = ({ step }) => {
            if (step !== 'reading' && ++steps === at) throw new Error('interrupted')
          }
          await assert.rejects(imported(target, 'archive', { most: 3, onProgress }), /interrupted/)
          await target.lifecycle.stop()
          await refusedWith(
            closedDatabase(url).lifecycle.start(),
            'invalid_configuration',
            /run `vidimus import` again, which starts over/,
          )
        }
        // In the middle of rows, and while they are compared.
        for (const at of [1, 5, 12]) await interrupted(at)
        const other = await openedDatabase('SQLite')
        await fill(other, 3)
        await exported(other, 'other')
        await other.lifecycle.stop()
        const target = closedDatabase(url)
        const { startedOver } = await imported(target, 'other')
        await exported(target, 'again')
        await assert.rejects(
          target.write((connection) => connection.run(sql`DELETE FROM loan`)),
          /loans stay/,
        )
        await target.lifecycle.stop()
        assert.equal(startedOver, true)
        assert.deepEqual(await digestsOf('again'), await digestsOf('other'))
      })

      it(`refuse a concurrent import, and one that another has replaced, on ${place}`, async () => {
        const url = await freshDatabase(place)
        const [importing, second, third] = [closedDatabase(url), closedDatabase(url), closedDatabase(url)]
        await importing.lifecycle.start()
        const release = await importing.lock(queueName('import'))
        await refusedWith(imported(second, 'archive'), 'unavailable', /another process is importing/)
        await release?.()
        third.admitUnfinishedImport()
        await third.lifecycle.start()
        let isReplaced = false
        const onProgress: ImportOptions['onProgress'] = async ({ step }) => {
          if (step !== 'writing' || isReplaced) return
          isReplaced = true
          // As a run whose lock was lost with its connection.
          await third.write((connection) => connection.run(sql`UPDATE unfinished_import SET run = 'another'`))
        }
        await refusedWith(
          imported(second, 'archive', { most: 1, onProgress }),
          'unavailable',
          /another process is importing/,
        )
        for (const each of [importing, second, third]) await each.lifecycle.stop()
      })

      it(`detect writes by others in between, on ${place}`, async () => {
        const url = await freshDatabase(place)
        const [target, other] = [closedDatabase(url), closedDatabase(url)]
        other.admitUnfinishedImport()
        await other.lifecycle.start()
        let hasWritten = false
        const onProgress: ImportOptions['onProgress'] = async ({ step }) => {
          if (step !== 'writing' || hasWritten) return
          hasWritten = true
          await other.write((connection) => connection.run(sql`INSERT INTO shelf (id) VALUES ('other')`))
        }
        try {
          const importing = imported(target, 'archive', { most: 3, onProgress })
          await refusedWith(importing, 'invalid_input', /the table shelf .* something else/)
        } finally {
          await target.lifecycle.stop()
          await other.lifecycle.stop()
        }
      })
    }
  })
})
