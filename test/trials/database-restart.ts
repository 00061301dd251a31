import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { PostgresServer } from '../support/postgres-server.js'
import { Calls } from './calls.js'
import { untilReady, withFleet } from './fleet.js'
import { createLists } from './list-kinds.js'
import { ListLoad } from './list-load.js'
import { assertNothingHalfDone } from './nothing-half-done.js'
import { assertNothingLost } from './nothing-lost.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  processes: number
  workers: number
  lists: number
  restarts: number
  awayMs: number
}

/** `connectTimeoutMs` and `statementTimeoutMs` of the default configuration, and what the driver waits beyond. */
const LONGEST_ANSWER_MS = 5000 + 10_000 + 2000

const RULE =
  'PostgreSQL is stopped and started several times during load. While it is down, requests get a documented ' +
  '500 or 503 within the configured limits, and readiness turns false and recovers. The service continues ' +
  'by itself; no acknowledged change is lost, and nothing is half-done after the next start.'

async function run({ processes, workers, lists: count, restarts, awayMs }: Size): Promise<Figures> {
  const server = await PostgresServer.start()
  try {
    const databaseUrl = await server.createDatabase()
    return await withFleet({ processes, databaseUrl }, async (fleet) => {
      const lists = await createLists(fleet.client(), count)
      const calls = new Calls(LONGEST_ANSWER_MS)
      const load = new ListLoad(fleet, lists, calls, { workers, creations: 0.2 }).start()
      let [noticed, recovered] = [0, 0]
      for (let n = 0; n < restarts; n++) {
        await load.progress(workers, 60_000)
        await server.stop()
        noticed = Math.max(noticed, await untilReady(fleet, false, LONGEST_ANSWER_MS))
        await setTimeout(awayMs)
        await server.restart()
        recovered = Math.max(recovered, await untilReady(fleet, true, LONGEST_ANSWER_MS))
      }
      await load.progress(workers, 60_000)
      await load.stop()
      assert.ok(calls.failures > 0, 'no request has met the absence of the database')
      assert.equal(calls.of('cut'), 0, 'a connection was cut')
      await fleet.recover()
      const versions = await assertNothingLost(fleet.client(), load)
      const dids = await assertNothingHalfDone(fleet)
      return {
        restarts,
        'noticed within, ms': noticed,
        'recovered within, ms': recovered,
        'longest answer, ms': Math.round(calls.longestAnswerMs),
        'limit, ms': LONGEST_ANSWER_MS,
        updates: load.updates,
        DIDs: dids,
        versions,
        answers: calls.summary,
      }
    })
  } finally {
    await server.remove()
  }
}

export const databaseRestart = trialOf(
  'database-restart',
  RULE,
  {
    full: { processes: 3, workers: 32, lists: 4, restarts: 6, awayMs: 3000 },
    short: { processes: 2, workers: 8, lists: 1, restarts: 1, awayMs: 500 },
  },
  run,
)
