import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from '@vidimus/database'
import { createDid } from '../behaviour/suite.js'
import type { Client } from '../support/client.js'
import { openDatabase } from '../support/open-database.js'
import { emptyInstallation } from '../support/fresh-database.js'
import { Calls } from './calls.js'
import { withFleet, type Fleet } from './fleet.js'
import { createLists, type TrialList } from './list-kinds.js'
import { ListLoad } from './list-load.js'
import { assertNothingLost } from './nothing-lost.js'
import { trialOf, type Figures } from './trial.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Size {
  processes: number
  workers: number
  lists: number
  /** how far the clock of the service is from that of the machine, one after the other, milliseconds */
  offsets: number[]
}

const RULE =
  "The service's clock is set forwards and backwards, by hours and days, during load. Nothing waits for it. " +
  'The versions of each list form one chain in which every version is later than the one before; API keys ' +
  'and credentials are valid by the current clock; lists can be updated after every step, and checked after ' +
  'the next update; a rate limit that was used up is free again as soon as without the step.'

const LIMIT = { requests: 5, seconds: 3 }

async function run({ processes, workers, lists: count, offsets }: Size): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-clock-'))
  const file = join(folder, 'offset')
  await writeFile(file, '0')
  const databaseUrl = await emptyInstallation('PostgreSQL')
  const preloaded = join(import.meta.dirname, '../support/shifted-clock.mjs')
  const options = {
    processes,
    databaseUrl,
    environment: { NODE_OPTIONS: `--import=${preloaded}`, CLOCK_OFFSET_FILE: file },
    configure: (text: string) =>
      text.replace(
        /failedAuthentications: \{.*\}/,
        `failedAuthentications: { requests: ${LIMIT.requests}, seconds: ${LIMIT.seconds} }`,
      ),
  }
  try {
    return await withFleet(options, async (fleet) => {
      const setClock = async (offset: number) => {
        await writeFile(file, String(offset))
        for (const { service } of fleet.members) process.kill(service.pid, 'SIGUSR2')
        await untilClock(fleet, offset)
      }
      const lists = await createLists(fleet.client(), count)
      const calls = new Calls()
      const load = new ListLoad(fleet, lists, calls, { workers, clockSteps: true }).start()
      for (const offset of offsets) {
        await load.progress(workers, 60_000)
        await setClock(offset)
        await assertListsGoOn(fleet.client(1), lists)
      }
      await load.progress(workers, 60_000)
      await load.stop()
      await setClock(Math.max(...offsets))
      const versions = await assertNothingLost(fleet.client(), load)
      await assertTimesIncrease(fleet)
      await setClock(0)
      await assertValidByTheClock(fleet, setClock)
      await assertNobodyLockedOut(fleet, setClock)
      assert.equal(calls.failures, 0, calls.lastRefusals)
      return { steps: offsets.length, updates: load.updates, versions, answers: calls.summary }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The `date` of answers is made a second at a time, so it is asked for what is written down: the time of a failure. */
async function untilClock(fleet: Fleet, offset: number): Promise<void> {
  for (const { client } of fleet.members) {
    for (const startedAt = performance.now(); ;) {
      const did = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
      const { body } = await client.get(`/1.0/identifiers/${did}`, {
        headers: { accept: 'application/did-resolution' },
      })
      const { didResolutionMetadata } = body as { didResolutionMetadata: { retrieved: string } }
      const difference = Date.parse(didResolutionMetadata.retrieved) - (Date.now() + offset)
      if (Math.abs(difference) < 10_000) break
      assert.ok(performance.now() - startedAt < 20_000, `the clock is ${difference} ms away`)
      await setTimeout(20)
    }
  }
}

/** Updates of what nobody else changes, and checks of them, where they can be taken back. */
async function assertListsGoOn(client: Client, lists: readonly TrialList[]): Promise<void> {
  for (const { did, statusListName, listType, statusPurpose, actions } of lists) {
    for (const action of actions.filter((any) => any !== 'revoke')) {
      await client.ok('POST', '/credential-status/update/unencrypted', {
        query: { listType, statusAction: action },
        json: { did, statusListName, indices: [110_000] },
      })
      const { results } = (await client.ok('POST', '/credential-status/check', {
        query: { listType, statusPurpose },
        json: { did, statusListName, index: 110_000 },
      })) as { results: { status: number }[] }
      assert.equal((results[0]?.status ?? 0) !== 0, action === 'suspend')
    }
  }
}

/** Those of each DID, to the millisecond, which answers do not show. */
async function assertTimesIncrease(fleet: Fleet): Promise<void> {
  const database = await openDatabase(fleet.installation)
  try {
    const rows = await database.query<{ of: string; created: string }>(
      sql`SELECT "collection_id" AS "of", "created" FROM "ledger_resource" WHERE "network" = 'testnet'
        ORDER BY "collection_id", "height"`,
    )
    rows.forEach(({ of, created }, n) => {
      const before = rows[n - 1]?.of === of ? rows[n - 1]?.created : undefined
      assert.ok(
        before === undefined || Date.parse(before) < Date.parse(created),
        `${created} follows ${before}`,
      )
    })
  } finally {
    await database.lifecycle.stop()
  }
}

async function assertValidByTheClock(
  fleet: Fleet,
  setClock: (offset: number) => Promise<void>,
): Promise<void> {
  const client = fleet.client()
  const expiresAt = new Date(Date.now() + HOUR).toISOString()
  const { apiKey } = (await client.ok('POST', '/account/api-keys', { json: { expiresAt } })) as {
    apiKey: string
  }
  const did = await createDid(client)
  const credential = await client.ok('POST', '/credential/issue', {
    json: { issuerDid: did, subjectDid: did, attributes: { a: 1 }, expirationDate: expiresAt },
  })
  for (const [offset, status, verified] of [
    [0, 200, true],
    [2 * HOUR, 401, false],
    [0, 200, true],
    [-2 * DAY, 200, false],
    [0, 200, true],
  ] as const) {
    await setClock(offset)
    for (const { client: one } of fleet.members) {
      assert.equal((await one.as(apiKey).get('/did/list')).status, status, `the key, ${offset} ms away`)
    }
    const answer = (await client.ok('POST', '/credential/verify', { json: { credential } })) as {
      verified: boolean
    }
    assert.equal(answer.verified, verified, `the credential, ${offset} ms away`)
  }
}

/** Whoever has used up a limit waits for seconds, whatever the clock does meanwhile. */
async function assertNobodyLockedOut(
  fleet: Fleet,
  setClock: (offset: number) => Promise<void>,
): Promise<void> {
  const { client } = fleet.member(0)
  const wrong = () => client.get('/did/list', { apiKey: 'vidimus_wrong' })
  await setClock(2 * DAY)
  while ((await wrong()).status !== 429);
  await setClock(-DAY)
  const startedAt = performance.now()
  while ((await wrong()).status === 429) {
    assert.ok(performance.now() - startedAt < LIMIT.seconds * 1000 * 3, 'still locked out')
    await setTimeout(100)
  }
  await setClock(0)
}

export const clock = trialOf(
  'clock',
  RULE,
  {
    full: {
      processes: 2,
      workers: 16,
      lists: 6,
      offsets: [HOUR, -HOUR, 2 * DAY, -3 * DAY, 30 * DAY, 0, -HOUR, 6 * HOUR, -30 * DAY, 60_000, 0],
    },
    short: { processes: 2, workers: 8, lists: 3, offsets: [2 * DAY, -DAY] },
  },
  run,
)
