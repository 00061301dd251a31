import assert from 'node:assert/strict'
import { Database, sql } from '@vidimus/database'
import fc from 'fast-check'
import { migratedDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { workBaseline } from '../index.js'
import { askForWork, claimWork, dueWork, postponeWork, settleWork, type WorkItem } from '../work-rows.js'

const TABLES = { migrations: [[workBaseline]] }
const KIND = 'model'
const KEYS = ['a', 'b', 'c']
const LEASE_MS = 10
/** Each run has seconds of its own. */
const START = Date.parse('2026-01-01T00:00:00Z')

/** A claim of a process, with the changes that it has seen. */
interface Claim {
  item: WorkItem
  sees: number
}

type Step =
  | { do: 'ask'; key: string }
  | { do: 'pass'; ms: number }
  | { do: 'read' | 'claim'; process: number }
  | { do: 'settle' | 'fail'; process: number; which: number }

const process = fc.nat(2)
const which = fc.nat(3)
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ do: fc.constant('ask' as const), key: fc.constantFrom(...KEYS) }),
    fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 15 }) }),
    fc.record({ do: fc.constantFrom('read' as const, 'claim' as const), process }),
    fc.record({ do: fc.constantFrom('settle' as const, 'fail' as const), process, which }),
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
)

/** Processes that read, claim, freeze and return in any order, and what must have come of it. */
class Model {
  /** changes of each key so far, and those that somebody has done */
  readonly asked = new Map<string, number>()
  readonly covered = new Map<string, number>()
  /** the newest claim of each key */
  private readonly newest = new Map<string, Claim>()
  private readonly read: WorkItem[][] = [[], [], []]
  private readonly claims: Claim[][] = [[], [], []]

  constructor(
    private readonly database: Database,
    private now: number,
  ) {}

  async step(step: Step): Promise<void> {
    if (step.do === 'pass') this.now += step.ms
    else if (step.do === 'ask') await this.ask(step.key)
    else if (step.do === 'read') this.read[step.process] = await this.due()
    else if (step.do === 'claim') await this.claim(step.process)
    else if ('which' in step) await this.end(step)
  }

  /** Everything that waits is done in the end. */
  async finish(): Promise<void> {
    for (let round = 0; round < 20; round += 1) {
      this.now += 100
      this.read[0] = await this.due()
      if (this.read[0].length === 0) break
      await this.claim(0)
      for (const { length } = this.claims[0] ?? []; this.claims[0]?.length === length;)
        await this.end({ do: 'settle', process: 0, which: length - 1 })
    }
    for (const [key, n] of this.asked) assert.equal(this.covered.get(key), n, `changes of ${key} are lost`)
  }

  private async ask(key: string): Promise<void> {
    const time = new Date(this.now)
    const item = { home: KEYS.indexOf(key), key, owner: key, dueAt: time, since: time }
    await this.database.write((connection) => connection.run(askForWork(KIND, item, time)))
    this.asked.set(key, (this.asked.get(key) ?? 0) + 1)
  }

  private due(): Promise<WorkItem[]> {
    return dueWork(this.database, KIND, { now: new Date(this.now), except: [], most: 10 })
  }

  /** What was read may be out of date. */
  private async claim(process: number): Promise<void> {
    const read = this.read[process] ?? []
    if (read.length === 0) return
    const until = new Date(this.now + LEASE_MS)
    const items = await this.database.write(
      (connection) => claimWork(connection, KIND, read, { holder: String(process), until }),
      { spans: 'a model' },
    )
    for (const item of items) {
      const before = read.find(({ key }) => key === item.key) ?? assert.fail('what it has not read')
      assert.equal(item.fence, before.fence + 1)
      const claim = { item, sees: this.asked.get(item.key) ?? 0 }
      this.newest.set(item.key, claim)
      this.claims[process]?.push(claim)
    }
    this.read[process] = []
  }

  private async end({ do: how, process, which }: Extract<Step, { which: number }>): Promise<void> {
    const [claim] = this.claims[process]?.splice(which, 1) ?? []
    if (!claim) return
    const { item, sees } = claim
    const isNewest = this.newest.get(item.key) === claim
    if (how === 'fail') {
      const until = () => new Date(this.now + 5)
      const postponed = await this.database.write((connection) =>
        postponeWork(connection, KIND, item, { until, failure: 'failed' }),
      )
      assert.equal(postponed !== undefined, isNewest, 'a stale failure counts')
    } else {
      const outcome = await this.database.write((connection) =>
        settleWork(connection, KIND, item, { begun: new Date(this.now) }),
      )
      assert.equal(outcome !== 'lost', isNewest, 'a stale settlement counts')
      if (isNewest) {
        this.covered.set(item.key, sees)
        assert.equal(outcome, sees === this.asked.get(item.key) ? 'settled' : 'asked')
      }
    }
    if (isNewest) this.newest.delete(item.key)
  }
}

for (const [place, numRuns] of [
  [PLACES[0], 30],
  [PLACES[1], 8],
] as const) {
  describe(`claims of work (${place})`, () => {
    it('nothing is done by two, no stale process settles, and nothing is lost', async () => {
      const url = await migratedDatabase(place, TABLES)
      const database = new Database({ url, ...TABLES })
      await database.lifecycle.start()
      let run = 0
      try {
        await fc.assert(
          fc.asyncProperty(steps, async (all) => {
            await database.write((connection) =>
              connection.run(sql`DELETE FROM work_item WHERE kind = ${KIND}`),
            )
            const model = new Model(database, START + (run += 1) * 3_600_000)
            for (const step of all) await model.step(step)
            await model.finish()
          }),
          { numRuns },
        )
      } finally {
        await database.lifecycle.stop()
      }
    })
  })
}
