import assert from 'node:assert/strict'
import { Calls } from './calls.js'
import { withAnyFleet } from './fleet.js'
import { createLists } from './list-kinds.js'
import { ListLoad } from './list-load.js'
import { assertNothingLost } from './nothing-lost.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  processes: number
  workers: number
  updates: number
  lists: number
}

const RULE =
  'No update is lost: every list has the state of the acknowledged changes, which every process shows at ' +
  'once, and its versions form one chain. Every response is documented, none is a failure of the service, ' +
  'and no update loses every race.'

async function run({ processes, workers, updates, lists: count }: Size): Promise<Figures> {
  return withAnyFleet(processes, async (fleet) => {
    const lists = await createLists(fleet.client(), count)
    const calls = new Calls()
    const startedAt = performance.now()
    const load = new ListLoad(fleet, lists, calls, { workers, updates, shared: true }).start()
    await load.done()
    const seconds = (performance.now() - startedAt) / 1000
    const versions = await assertNothingLost(fleet.client(1), load)
    const told = `${calls.summary}\n${calls.lastRefusals}`
    assert.equal(calls.failures, 0, told)
    assert.equal(calls.of('400 version_conflict'), 0, told)
    return {
      updates: load.updates,
      checks: load.checks,
      lists: count,
      versions,
      'updates per second': Math.round(load.updates / seconds),
      'longest answer, ms': Math.round(calls.longestAnswerMs),
      answers: calls.summary,
    }
  })
}

export const load = trialOf(
  'load',
  RULE,
  {
    full: { processes: 4, workers: 64, updates: 20_000, lists: 8 },
    short: { processes: 2, workers: 32, updates: 300, lists: 4 },
  },
  run,
)
