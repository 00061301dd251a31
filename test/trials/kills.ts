import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { Calls } from './calls.js'
import { withAnyFleet } from './fleet.js'
import { createLists } from './list-kinds.js'
import { ListLoad } from './list-load.js'
import { assertNothingHalfDone } from './nothing-half-done.js'
import { assertNothingLost, assertReceiptsTrue } from './nothing-lost.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  processes: number
  workers: number
  lists: number
  kills: number
  /** between two of them */
  pauseMs: number
}

const RULE =
  'Processes are killed (`kill -9`) one after the other during load, and started again. Every acknowledged ' +
  'change and DID is there, every receipt is true of a published version, the versions of each list form one ' +
  'chain, and after the recovery of a start nothing is half-done: no key without a DID, no pending DID, no DID ' +
  'on the ledger that no account holds.'

async function run({ processes, workers, lists: count, kills, pauseMs }: Size): Promise<Figures> {
  return withAnyFleet(processes, async (fleet) => {
    const lists = await createLists(fleet.client(), count)
    const calls = new Calls()
    const load = new ListLoad(fleet, lists, calls, { workers, creations: 0.2, receipts: 0.2 }).start()
    await load.progress(workers, 60_000)
    for (let n = 0; n < kills; n++) {
      const member = fleet.member(Math.floor(Math.random() * processes))
      await fleet.kill(member)
      await fleet.restart(member)
      await setTimeout(pauseMs * 2 * Math.random())
    }
    await load.progress(workers, 60_000)
    await load.stop()
    assert.ok(calls.of('cut') > 0, 'nothing was cut off: the kills met no load')
    await fleet.recover()
    const versions = await assertNothingLost(fleet.client(), load)
    await assertReceiptsTrue(fleet.client(), load)
    const dids = await assertNothingHalfDone(fleet)
    return {
      kills,
      updates: load.updates,
      DIDs: dids,
      versions,
      receipts: load.receipts.length,
      cut: calls.of('cut'),
      answers: calls.summary,
    }
  })
}

export const kills = trialOf(
  'kills',
  RULE,
  {
    full: { processes: 4, workers: 32, lists: 8, kills: 60, pauseMs: 1000 },
    short: { processes: 2, workers: 12, lists: 2, kills: 2, pauseMs: 200 },
  },
  run,
)
