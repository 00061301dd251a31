import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { asListName } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import fc from 'fast-check'
import { PLACES } from '../../../../test/support/fresh-database.js'
import {
  emptyDatabase,
  Envelope,
  neverUsed,
  newList,
  openStore,
  type OpenStore,
  removeFolder,
  takeFree,
  takeNamed,
  temporaryFolder,
} from './open-store.js'

describe('TakenIndices', () => {
  let folder: string
  const opened: OpenStore[] = []
  const open = async (envelope = new Envelope()) => {
    const store = await openStore(folder, { envelope })
    opened.push(store)
    return store
  }
  let here: OpenStore

  beforeEach(async () => {
    folder = await temporaryFolder()
    here = await open()
  })
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close()
    await removeFolder(folder)
  })

  /** Takes until nothing is left. */
  const takeAll = async (
    list: ReturnType<typeof newList>,
    entries: number,
    isUsed = neverUsed,
    from = here,
  ) => {
    const taken: number[] = []
    for (;;) {
      const index = await takeFree(from.store, list, entries, isUsed)
      if (index === undefined) return taken
      taken.push(index)
    }
  }
  const sorted = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b)
  const upTo = (length: number) => Array.from({ length }, (_, n) => n)

  it('allocates every index of a list once, in random order, and then none', async () => {
    const list = newList()
    const taken = await takeAll(list, 300)
    assert.deepEqual(sorted(taken), upTo(300))
    assert.notDeepEqual(taken, upTo(300))
    assert.equal(await takeFree(here.store, list, 300), undefined)
    assert.equal(await takeNamed(here.store, list, 5), false)
  })

  it('has a different order for every list', async () => {
    const [one, other] = [newList(), newList()]
    assert.notDeepEqual(await takeAll(one, 60), await takeAll(other, 60))
    const sameDid = { ...one, resourceType: 'StatusList2021Suspension' }
    assert.notDeepEqual(
      await takeAll(sameDid, 60),
      await takeAll({ ...one, statusListName: asListName('x') }, 60),
    )
  })

  it('gives 400 callers in two processes 400 indices', async () => {
    const there = await open()
    const list = newList()
    const taken = await Promise.all(
      upTo(400).map((n) => takeFree((n % 2 ? here : there).store, list, 131_072)),
    )
    assert.equal(new Set(taken).size, 400)
    assert.ok(taken.every((index) => index !== undefined && index >= 0 && index < 131_072))
  })

  it('lets two processes use up a list together, including reservations', async () => {
    const there = await open()
    const list = newList()
    const reserved = upTo(100).filter((n) => n % 3 === 0)
    const [mine, theirs, ...granted] = await Promise.all([
      takeAll(list, 100),
      takeAll(list, 100, neverUsed, there),
      ...reserved.map((index, n) => takeNamed((n % 2 ? here : there).store, list, index)),
    ])
    const held = reserved.filter((_, n) => granted[n])
    assert.deepEqual(sorted([...mine, ...theirs, ...held]), upTo(100))
  })

  it('grants a reservation once', async () => {
    const there = await open()
    const list = newList()
    const granted = await Promise.all(upTo(20).map((n) => takeNamed((n % 2 ? here : there).store, list, 42)))
    assert.equal(granted.filter(Boolean).length, 1)
    assert.ok(!(await takeAll(list, 64)).includes(42))
    assert.equal(await takeNamed(here.store, newList(), 42), true)
  })

  it('skips set entries that were not allocated', async () => {
    const list = newList()
    assert.deepEqual(
      sorted(await takeAll(list, 500, (index) => index % 2 === 0)),
      upTo(500).filter((n) => n % 2),
    )
  })

  it('finds the only free index of a list, in many short transactions', async () => {
    const list = newList()
    const only = 1234
    assert.equal(await takeFree(here.store, list, 5000, (index) => index !== only), only)
    const { store, database } = await open()
    // Others can write while it searches.
    const full = newList()
    let done = false
    const taking = takeFree(store, full, 20_000, () => true).finally(() => (done = true))
    let turns = 0
    while (!done) {
      await database.write((connection) => connection.query(sql`SELECT 1`))
      turns += 1
    }
    assert.equal(await taking, undefined)
    assert.ok(turns > 20, `${turns} turns`)
  })

  it('never searches the same part again', async () => {
    const list = newList()
    assert.equal(await takeFree(here.store, list, 10_000, () => true), undefined)
    let looked = 0
    const look = () => {
      looked += 1
      return true
    }
    assert.equal(await takeFree(here.store, list, 10_000, look), undefined)
    assert.equal(looked, 0)
  })

  it('handles thousands of reservations', async () => {
    const list = newList()
    await Promise.all(upTo(3000).map((index) => takeNamed(here.store, list, index)))
    assert.deepEqual(sorted(await takeAll(list, 3100)), upTo(3100).slice(3000))
  })

  it('allocates nothing twice if a list is republished with another length', async () => {
    const list = newList()
    const taken = [...(await takeAll(list, 50)), ...(await takeAll(list, 80))]
    assert.deepEqual(sorted(taken), upTo(80))
    assert.deepEqual(await takeAll(list, 50), [])
  })

  describe('several indices at once', () => {
    const any = (list: ReturnType<typeof newList>, entries: number, isUsed = neverUsed) => ({
      lists: [list],
      entries,
      isUsed,
    })
    const state = () =>
      Promise.all([
        here.database.query(sql`SELECT * FROM "status_list_order" ORDER BY "list_id"`),
        here.database.query(sql`SELECT * FROM "status_list_taken_index" ORDER BY "list_id", "list_index"`),
        here.database.query(sql`SELECT * FROM "status_list" ORDER BY "id"`),
      ])

    it('are all allocated', async () => {
      const [one, other] = [newList(), newList()]
      const [first, second, named, third] = await here.store.indices.take([
        any(one, 20),
        any(one, 20),
        { lists: [other], index: 3 },
        any(other, 20),
      ])
      assert.notEqual(first, second)
      assert.deepEqual([named, third === 3], [3, false])
      assert.equal((await takeAll(one, 20)).length, 18)
      assert.equal((await takeAll(other, 20)).length, 18)
      assert.deepEqual(await here.store.indices.take([]), [])
    })

    it('or nothing changes at all', async () => {
      const [one, full] = [newList(), newList()]
      await takeAll(full, 8)
      const before = await state()
      const outcomes = [
        await here.store.indices.take([any(one, 20), { lists: [newList()], index: 1 }, any(full, 8)]),
        await here.store.indices.take([{ lists: [full], index: 3 }, any(one, 20)]),
        await here.store.indices.take([
          { lists: [one], index: 4 },
          { lists: [one], index: 4 },
        ]),
        await here.store.indices.take([{ lists: [one, full], index: 2 }]),
      ]
      assert.deepEqual(
        outcomes.map((indices) => indices.map((index) => index !== undefined)),
        [[true, true, false], [false, true], [true, false], [false]],
      )
      assert.deepEqual(await state(), before)
      assert.equal((await takeAll(one, 20)).length, 20)
    })

    it('can be used again when a credential is reissued', async () => {
      const list = newList()
      const again = { lists: [list], index: 7, again: true }
      assert.deepEqual(await here.store.indices.take([again]), [7])
      assert.deepEqual(await here.store.indices.take([again, any(list, 20)]).then(([index]) => index), 7)
      assert.equal(await takeNamed(here.store, list, 7), false)
    })

    it('are free in all of their lists, and stay free in other lists', async () => {
      const [short, long] = [newList(), newList()]
      const both = { lists: [short, long], entries: 600, isUsed: neverUsed }
      const kept = [5, 599]
      for (const index of upTo(600)) if (!kept.includes(index)) await takeNamed(here.store, long, index)
      const taken = [...(await here.store.indices.take([both])), ...(await here.store.indices.take([both]))]
      assert.deepEqual(sorted(taken.map(Number)), kept)
      assert.deepEqual(await here.store.indices.take([both]), [undefined])
      for (const index of kept) assert.equal(await takeNamed(here.store, short, index), false)
      assert.equal(await takeNamed(here.store, short, 6), true)
      assert.equal((await takeAll(long, 700)).length, 100)
    })

    it('are found even if one is near and the next is far', async () => {
      const list = newList()
      const free = [17, 4321]
      const isUsed = (index: number) => !free.includes(index)
      const wanted = any(list, 6000, isUsed)
      assert.deepEqual(sorted((await here.store.indices.take([wanted, wanted])).map(Number)), free)
      assert.deepEqual(await here.store.indices.take([wanted]), [undefined])
      const other = any(newList(), 6000, isUsed)
      assert.deepEqual(
        (await here.store.indices.take([other, other, other])).map((index) => index !== undefined),
        [true, true, false],
      )
      assert.deepEqual(sorted((await here.store.indices.take([other, other])).map(Number)), free)
    })

    for (const place of PLACES) {
      it(`are allocated concurrently by several processes, in any order (${place})`, async () => {
        const url = await emptyDatabase(place)
        const [mine, theirs] = [await openStore(folder, { url }), await openStore(folder, { url })]
        opened.push(mine, theirs)
        const [one, other] = [newList(), newList()]
        const pairs = await Promise.all(
          upTo(60).map(async (n) => {
            const turned = n % 3 === 0
            const lists = turned ? [other, one] : [one, other]
            const { indices } = (n % 2 ? mine : theirs).store
            const taken = await indices.take(lists.map((list) => any(list, 50)))
            return turned ? [...taken].reverse() : taken
          }),
        )
        const had = pairs.filter((pair) => !pair.includes(undefined))
        for (const list of [0, 1]) assert.deepEqual(sorted(had.map((pair) => Number(pair[list]))), upTo(50))
      })
    }
  })

  it('behaves like a set of numbers for any calls', async () => {
    const length = 24
    const call = fc.oneof(
      fc.record({ take: fc.array(fc.nat(length - 1), { maxLength: 8 }) }),
      fc.record({ reserve: fc.nat(length - 1) }),
      fc.constant({ reopen: true as const }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 60 }), async (calls) => {
        const list = newList()
        const held = new Set<number>()
        let on = here
        for (const each of calls) {
          if ('reopen' in each) {
            on = await open()
          } else if ('reserve' in each) {
            assert.equal(await takeNamed(on.store, list, each.reserve), !held.has(each.reserve))
            held.add(each.reserve)
          } else {
            const index = await takeFree(on.store, list, length, (n) => each.take.includes(n))
            if (index === undefined) continue
            assert.ok(!held.has(index) && !each.take.includes(index) && index < length)
            held.add(index)
          }
        }
        for (const { close } of opened.splice(1)) await close()
      }),
      { numRuns: 25 },
    )
  })

  it('stores the key of the order sealed', async () => {
    const list = newList()
    await takeFree(here.store, list, 100)
    const rows = await here.database.query<{ sealed_key: string }>(
      sql`SELECT "sealed_key" FROM "status_list_order"`,
    )
    assert.doesNotMatch(rows[0]!.sealed_key, /^[0-9a-f]{64}$/)
    const other = await open(new Envelope(Buffer.alloc(32, 9)))
    await assert.rejects(takeFree(other.store, list, 100), { code: 'wrong_secret' })
  })

  it('allocates nothing twice after the process was killed', async () => {
    const list = newList()
    const taken: number[] = []
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'killed-process.ts'), folder, JSON.stringify(list)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let printed = ''
    child.stdout.setEncoding('utf8')
    for await (const text of child.stdout) {
      printed += String(text)
      if (printed.split('\n').length > 40) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    assert.equal(child.signalCode, 'SIGKILL')
    taken.push(...printed.split('\n').slice(0, -1).map(Number))
    assert.ok(taken.length > 30)
    const rest = await takeAll(list, 1024)
    assert.equal(new Set([...taken, ...rest]).size, taken.length + rest.length)
  })
})
