import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { Calls } from './calls.js'
import { withAnyFleet, withSqliteFleet, type Fleet } from './fleet.js'
import { assertNothingHalfDone } from './nothing-half-done.js'
import { assertDidsKept } from './nothing-lost.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  rounds: number
  workers: number
  /** of SQLite and PostgreSQL: the rounds are shared among them */
  onPostgres: boolean[]
}

const RULE =
  'A process that only creates DIDs is killed at a random moment, again and again. After the recovery of ' +
  'the last start there is no key without a DID, no pending DID and no DID on the ledger that no account ' +
  'holds; every DID that was returned exists and can sign.'

async function run({ rounds, workers, onPostgres }: Size): Promise<Figures> {
  const figures: Figures = { kills: rounds * onPostgres.length }
  for (const postgres of onPostgres) {
    const onFleet = postgres ? withAnyFleet : withSqliteFleet
    await onFleet(1, async (fleet) => {
      const dids: string[] = []
      let [completed, undone] = [0, 0]
      /** What the process has recovered, which goes on beside the load. */
      const count = () => {
        const recovered = recoveredIn(fleet.member(0).service.log)
        completed += recovered.completed
        undone += recovered.undone
      }
      for (let n = 0; n < rounds; n++) {
        dids.push(...(await createUntilKilled(fleet, workers)))
        count()
        await fleet.restart(fleet.member(0))
      }
      await assertDidsKept(fleet.client(), dids)
      const held = await assertNothingHalfDone(fleet)
      count()
      const place = postgres ? 'PostgreSQL' : 'SQLite'
      figures[`completed on ${place}`] = completed
      figures[`undone on ${place}`] = undone
      figures[`answered on ${place}`] = dids.length
      figures[`DIDs on ${place}`] = held
    })
  }
  return figures
}

/** @returns the DIDs that were answered before the process was killed */
async function createUntilKilled(fleet: Fleet, workers: number): Promise<string[]> {
  const member = fleet.member(0)
  const calls = new Calls()
  const dids: string[] = []
  const enough = Math.floor(Math.random() * 2 * workers)
  let killed: Promise<void> | undefined
  const kill = async () => {
    await setTimeout(Math.random() * 50)
    await fleet.kill(member)
  }
  const work = Array.from({ length: workers }, async () => {
    for (;;) {
      const json = { network: 'testnet' }
      const outcome = await calls.make(member.client, 'POST', '/did/create', { json })
      if (outcome.kind === 'cut') return
      if (outcome.kind !== 'done') assert.fail(JSON.stringify(outcome))
      dids.push((outcome.body as { did: string }).did)
      if (dids.length > enough) killed ??= kill()
    }
  })
  await Promise.all(work)
  await killed
  return dids
}

/** What the recovery of a start says that it has done. */
function recoveredIn(log: string): { completed: number; undone: number; left: number } {
  const [, completed = 0, undone = 0, left = 0] = /(\d+) completed, (\d+) undone, (\d+) left/.exec(log) ?? []
  return { completed: Number(completed), undone: Number(undone), left: Number(left) }
}

export const interruptedCreations = trialOf(
  'interrupted-creations',
  RULE,
  {
    full: { rounds: 40, workers: 16, onPostgres: [true, false] },
    short: { rounds: 2, workers: 8, onPostgres: [true] },
  },
  run,
)
