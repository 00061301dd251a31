import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from '@vidimus/database'
import fc from 'fast-check'
import { Envelope, newList, openStore, removeFolder, temporaryFolder, type OpenStore } from './open-store.js'

const unused: (index: number) => boolean = () => false

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
  const takeAll = async (list: ReturnType<typeof newList>, entries: number, isUsed = unused, from = here) => {
    const taken: number[] = []
    for (;;) {
      const index = await from.store.indices.take(list, entries, isUsed)
      if (index === undefined) return taken
      taken.push(index)
    }
  }
  const sorted = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b)
  const upTo = (length: number) => Array.from({ length }, (_, n) => n)

  it('gives out every index of a list once, in no order, and then none', async () => {
    const list = newList()
    const taken = await takeAll(list, 300)
    assert.deepEqual(sorted(taken), upTo(300))
    assert.notDeepEqual(taken, upTo(300))
    assert.equal(await here.store.indices.take(list, 300, unused), undefined)
    assert.equal(await here.store.indices.reserve(list, 5), false)
  })

  it('has an order of its own for every list', async () => {
    const [one, other] = [newList(), newList()]
    assert.notDeepEqual(await takeAll(one, 200), await takeAll(other, 200))
    const sameDid = { ...one, resourceType: 'StatusList2021Suspension' }
    assert.notDeepEqual(await takeAll(sameDid, 200), await takeAll({ ...one, statusListName: 'x' }, 200))
  })

  it('gives 400 callers in two processes 400 indices', async () => {
    const there = await open()
    const list = newList()
    const taken = await Promise.all(
      upTo(400).map((n) => (n % 2 ? here : there).store.indices.take(list, 131_072, unused)),
    )
    assert.equal(new Set(taken).size, 400)
    assert.ok(taken.every((index) => index !== undefined && index >= 0 && index < 131_072))
  })

  it('lets two processes empty a list together, with reservations among them', async () => {
    const there = await open()
    const list = newList()
    const reserved = upTo(100).filter((n) => n % 3 === 0)
    const [mine, theirs, ...granted] = await Promise.all([
      takeAll(list, 100),
      takeAll(list, 100, unused, there),
      ...reserved.map((index, n) => (n % 2 ? here : there).store.indices.reserve(list, index)),
    ])
    const held = reserved.filter((_, n) => granted[n])
    assert.deepEqual(sorted([...mine, ...theirs, ...held]), upTo(100))
  })

  it('grants a reservation once', async () => {
    const there = await open()
    const list = newList()
    const granted = await Promise.all(
      upTo(20).map((n) => (n % 2 ? here : there).store.indices.reserve(list, 42)),
    )
    assert.equal(granted.filter(Boolean).length, 1)
    assert.ok(!(await takeAll(list, 64)).includes(42))
    assert.equal(await here.store.indices.reserve(newList(), 42), true)
  })

  it('passes over what is set without being taken', async () => {
    const list = newList()
    assert.deepEqual(
      sorted(await takeAll(list, 500, (index) => index % 2 === 0)),
      upTo(500).filter((n) => n % 2),
    )
  })

  it('finds the one free index of a list, in many short transactions', async () => {
    const list = newList()
    const only = 1234
    assert.equal(await here.store.indices.take(list, 5000, (index) => index !== only), only)
    const { store, database } = await open()
    // Others get their turn while it looks.
    const full = newList()
    let done = false
    const taking = store.indices.take(full, 20_000, () => true).finally(() => (done = true))
    let turns = 0
    while (!done) {
      await database.write((connection) => connection.query(sql`SELECT 1`))
      turns += 1
    }
    assert.equal(await taking, undefined)
    assert.ok(turns > 20, `${turns} turns`)
  })

  it('never looks again at what it has passed', async () => {
    const list = newList()
    assert.equal(await here.store.indices.take(list, 10_000, () => true), undefined)
    let looked = 0
    const look = () => {
      looked += 1
      return true
    }
    assert.equal(await here.store.indices.take(list, 10_000, look), undefined)
    assert.equal(looked, 0)
  })

  it('goes through thousands of reservations', async () => {
    const list = newList()
    await Promise.all(upTo(3000).map((index) => here.store.indices.reserve(list, index)))
    assert.deepEqual(sorted(await takeAll(list, 3100)), upTo(3100).slice(3000))
  })

  it('gives out nothing twice where a list is published again with another length', async () => {
    const list = newList()
    const taken = [...(await takeAll(list, 50)), ...(await takeAll(list, 80))]
    assert.deepEqual(sorted(taken), upTo(80))
    assert.deepEqual(await takeAll(list, 50), [])
  })

  it('agrees with a set of numbers, whatever the calls', async () => {
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
            assert.equal(await on.store.indices.reserve(list, each.reserve), !held.has(each.reserve))
            held.add(each.reserve)
          } else {
            const index = await on.store.indices.take(list, length, (n) => each.take.includes(n))
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

  it('keeps the key of the order sealed', async () => {
    const list = newList()
    await here.store.indices.take(list, 100, unused)
    const rows = await here.database.query<{ sealed_key: string }>(
      sql`SELECT "sealed_key" FROM "status_list_order"`,
    )
    assert.doesNotMatch(rows[0]!.sealed_key, /^[0-9a-f]{64}$/)
    const other = await open(new Envelope(Buffer.alloc(32, 9)))
    await assert.rejects(other.store.indices.take(list, 100, unused), { code: 'wrong_secret' })
  })

  it('gives out nothing twice after the process was killed', async () => {
    const list = newList()
    const taken: number[] = []
    for (let kill = 0; kill < 3; kill += 1) {
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
    }
    assert.ok(taken.length > 100)
    const rest = await takeAll(list, 4096)
    assert.equal(new Set([...taken, ...rest]).size, taken.length + rest.length)
  })
})
