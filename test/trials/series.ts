import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { isAgentError } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { createDid } from '../behaviour/suite.js'
import type { Client } from '../support/client.js'
import { openDatabase } from '../support/open-database.js'
import { until } from '../support/until.js'
import { withAnyFleet, type Fleet } from './fleet.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  processes: number
  workers: number
  allocations: number
  kills: number
  /** indices of each member that are left to be handed out; absent: all */
  leftOfMember?: number
}

interface Allocated {
  allocations: { statusListName: string; index: number }[]
}

const RULE =
  'Four processes allocate indices of one series, and are killed (`kill -9`) one after the other and started ' +
  'again. No request is refused because a list is full, no member and index is handed out twice, every member is ' +
  'published before the first of its indices is handed out, each once, and their numbers have no gap.'

const ENTRIES = 131_072
/** Indices of one credential, and so of one transaction. */
const TOGETHER = 16
const listType = 'BitstringStatusList'

/** What was handed out, a bit for each index of each member. */
class HandedOut {
  private readonly members = new Map<string, Uint8Array>()
  count = 0

  /** @returns the members that were not seen before */
  note(allocations: Allocated['allocations']): string[] {
    const fresh: string[] = []
    for (const { statusListName, index } of allocations) {
      if (!this.members.has(statusListName)) fresh.push(statusListName)
      const bits = this.members.get(statusListName) ?? new Uint8Array(ENTRIES / 8)
      this.members.set(statusListName, bits)
      const place = 1 << (index % 8)
      assert.equal((bits[index >> 3] ?? 0) & place, 0, `${statusListName} ${index} was handed out twice`)
      bits[index >> 3] = (bits[index >> 3] ?? 0) | place
      this.count += 1
    }
    return fresh
  }

  get names(): string[] {
    return [...this.members.keys()]
  }
}

async function run({ processes, workers, allocations, kills, leftOfMember }: Size): Promise<Figures> {
  const startedAt = performance.now()
  return withAnyFleet(processes, async (fleet) => {
    const series = { did: await createDid(fleet.client()), statusListName: 'series' }
    await fleet.client().ok('POST', '/credential-status/create/unencrypted', {
      query: { listType, statusPurpose: 'revocation' },
      json: { ...series, series: true, length: ENTRIES },
    })
    const handedOut = new HandedOut()
    const ended = { allocating: false, cut: 0 }
    const database = await openDatabase(fleet.installation)
    const requests = Array.from({ length: TOGETHER }, () => series)
    const work = async (first: number): Promise<void> => {
      let n = first
      while (handedOut.count < allocations) {
        const { client } = fleet.member(n)
        const answer = await client
          .post('/agent/statusListAllocateTogether', { json: { requests, entries: [] } })
          .catch(() => undefined)
        // A process that was killed has answered nobody: what it took is lost, and never handed out again.
        if (!answer || answer.status === 503) {
          ended.cut += 1
          n += 1
          await setTimeout(50)
          continue
        }
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        for (const member of handedOut.note((answer.body as Allocated).allocations)) {
          await assertPublished(fleet.client(n + 1), series.did, member)
          if (leftOfMember === undefined) continue
          const jump = sql`UPDATE "status_list_order" SET "position" = ${ENTRIES - leftOfMember},
              "allocated" = "allocated" + ${ENTRIES - leftOfMember} - "position"
            WHERE "position" < ${ENTRIES - leftOfMember} AND "list_id" IN
              (SELECT "id" FROM "status_list" WHERE "did" = ${series.did} AND "name" = ${member})`
          // Allocations of all processes change the same row.
          await until(() => database.write((connection) => connection.run(jump)).then(() => true, isBusy))
        }
      }
    }
    try {
      const killing = killInTurn(fleet, kills, () => handedOut.count / allocations)
      await Promise.all(Array.from({ length: workers }, (_, n) => work(n)))
      await killing
    } finally {
      await database.lifecycle.stop()
    }
    assert.ok(ended.cut > 0, 'nothing was cut off: the kills met no load')
    const members = await assertMembers(fleet.client(), series, handedOut)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    return { allocations: handedOut.count, members, kills, cut: ended.cut, seconds }
  })
}

/** Kills a process each time that a further part of the work is done. */
async function killInTurn(fleet: Fleet, kills: number, done: () => number): Promise<void> {
  for (let n = 0; n < kills; n++) {
    while (done() < (n + 0.5) / kills) await setTimeout(20)
    const member = fleet.member(n)
    await fleet.kill(member)
    await fleet.restart(member)
  }
}

/** Whoever got an index can hand out its address: another process finds the list there. */
async function assertPublished(client: Client, did: string, statusListName: string): Promise<void> {
  for (;;) {
    const query = { did, statusListName, listType }
    const answer = await client.get('/credential-status/search', { query }).catch(() => undefined)
    if (answer?.status === 200) return
    assert.ok(!answer || answer.status === 503, `${statusListName}: ${JSON.stringify(answer?.body)}`)
    await setTimeout(50)
  }
}

async function assertMembers(
  client: Client,
  series: { did: string; statusListName: string },
  handedOut: HandedOut,
): Promise<number> {
  const { statusLists } = (await client.ok('GET', '/credential-status/list', {
    query: { did: series.did, series: series.statusListName, limit: '1000' },
  })) as { statusLists: { statusListName: string; versions: number }[] }
  const names = statusLists.map(({ statusListName }) => statusListName)
  const expected = Array.from({ length: names.length }, (_, n) => `series.${names.length - n}`)
  assert.deepEqual(names, expected)
  for (const { statusListName, versions } of statusLists) assert.equal(versions, 1, statusListName)
  for (const name of handedOut.names) assert.ok(names.includes(name), name)
  return names.length
}

export const series = trialOf(
  'series',
  RULE,
  {
    full: { processes: 4, workers: 32, allocations: 1_000_000, kills: 20 },
    short: { processes: 2, workers: 16, allocations: 2000, kills: 2, leftOfMember: 350 },
  },
  run,
)

/** @returns `false`: it may succeed if it is repeated */
function isBusy(error: unknown): false {
  if (isAgentError(error) && error.code === 'unavailable') return false
  throw error
}
