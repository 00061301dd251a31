import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { createList } from '../behaviour/suite.js'
import type { Client } from '../support/client.js'
import { assertLinear, statesOf, versionsOf, type ListName } from '../support/list-history.js'
import { until } from '../support/until.js'
import { withAnyFleet, withSqliteFleet, type Fleet } from './fleet.js'
import { trialOf, type Figures, type Wishes } from './trial.js'

interface Size {
  processes: number
  lists: number
  workers: number
  kills: number
  /** updates that are sent before each kill, and while the process starts again */
  updates: number
}

const RULE =
  'Four processes store changes of lists that publish at intervals, half of them `always`, and are killed (`kill -9`) in turn before ' +
  'a beat; one is frozen until everything is published. Every acknowledged change is published, at the latest a minute after the ' +
  'time that was promised for the last one; the versions of each list form one chain, and there are no more of them than beats.'

const EVERY_MS = 3000
const query = { listType: 'BitstringStatusList', statusAction: 'revoke' }

/** What was acknowledged of a list. */
class Acknowledged {
  readonly indices: number[] = []
  /** the latest time that a change was promised for */
  last = 0
  private next = 0

  constructor(
    readonly list: ListName,
    readonly createdAt = Date.now(),
  ) {}

  async revokeNext(client: Client): Promise<boolean> {
    const index = this.next++
    const json = { ...this.list, indices: [index] }
    const answer = await client
      .post('/credential-status/update/unencrypted', { query, json })
      .catch(() => undefined)
    if (answer?.status !== 200) {
      assert.ok(!answer || answer.status === 503, JSON.stringify(answer?.body))
      return false
    }
    const { published, visibleFrom } = answer.body as { published: boolean; visibleFrom: string }
    assert.equal(published, false)
    this.indices.push(index)
    this.last = Math.max(this.last, Date.parse(visibleFrom))
    return true
  }
}

async function run(
  { processes, lists: count, workers, kills, updates }: Size,
  { database }: Wishes,
): Promise<Figures> {
  const onFleet = database === 'sqlite' ? withSqliteFleet : withAnyFleet
  return onFleet(processes, async (fleet) => {
    const lists: Acknowledged[] = []
    for (let n = 0; n < count; n += 1)
      lists.push(
        new Acknowledged(
          await createList(fleet.client(), { body: { publishEvery: 'PT3S', always: n % 2 === 0 } }),
        ),
      )
    // One that the last of the kills neither meets nor sends updates to.
    const frozen = fleet.member(kills + 1).service.pid
    let cut = 0
    for (let n = 0; n < kills; n += 1) {
      if (n === kills - 1) process.kill(frozen, 'SIGSTOP')
      cut += await killUnderLoad(fleet, n, lists, { workers, updates })
    }
    assert.ok(cut > 0, 'nothing was cut off: the kills met no load')
    for (const one of lists) await untilPublished(fleet.client(), one)
    process.kill(frozen, 'SIGCONT')
    await setTimeout(EVERY_MS)
    let versions = 0
    for (const one of lists) versions += await countVersions(fleet.client(), one)
    return {
      kills,
      lists: count,
      acknowledged: lists.reduce((sum, { indices }) => sum + indices.length, 0),
      cut,
      versions,
    }
  })
}

/** @returns how many updates got no response */
async function killUnderLoad(
  fleet: Fleet,
  n: number,
  lists: readonly Acknowledged[],
  { workers, updates }: Pick<Size, 'workers' | 'updates'>,
): Promise<number> {
  const victim = fleet.member(n)
  const state = { sent: 0, cut: 0, isOver: false }
  const load = Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      while (!state.isOver) {
        const list = lists[(worker + state.sent) % lists.length] ?? assert.fail('there are lists')
        state.sent += 1
        // The other process gets some as well.
        const isCut = !(await list.revokeNext(worker % 3 === 0 ? fleet.client(n + 1) : victim.client))
        if (isCut) state.cut += 1
      }
    }),
  )
  await until(() => state.sent > updates)
  await fleet.kill(victim)
  const restarted = fleet.restart(victim)
  await until(() => state.sent > 2 * updates)
  await restarted
  state.isOver = true
  await load
  return state.cut
}

async function untilPublished(client: Client, { list, indices, last }: Acknowledged): Promise<void> {
  await until(async () => {
    const states = await statesOf(client, list, 'revocation')
    const missing = indices.filter((index) => states.get(index) !== 1)
    assert.ok(missing.length === 0 || Date.now() < last + 60_000, `missing: ${missing.join()}`)
    return missing.length === 0
  })
}

/** @returns the number of versions after the first one */
async function countVersions(client: Client, { list, createdAt }: Acknowledged): Promise<number> {
  const versions = await versionsOf(client, list)
  assertLinear(versions)
  const beats = Math.ceil((Date.now() - createdAt) / EVERY_MS) + 1
  assert.ok(versions.length - 1 <= beats, `${versions.length - 1} versions at ${beats} beats`)
  return versions.length - 1
}

export const pace = trialOf(
  'pace',
  RULE,
  {
    full: { processes: 4, lists: 8, workers: 24, kills: 20, updates: 300 },
    short: { processes: 3, lists: 2, workers: 12, kills: 1, updates: 40 },
  },
  run,
)
