import { createList } from '../test/behaviour/suite.js'
import type { Client } from '../test/support/client.js'
import type { LoadClient, Scenario, Target } from './load/load.js'
import { median } from './measure.js'
import { CHECK } from './rows.js'
import { spread } from './subjects.js'

const LENGTHS = [131_072, 1_000_000, 10_000_000]
const SIZES = [1, 2]

export interface LengthFigures {
  length: number
  statusSize: number
  checksPerSecond: number
  /** 64 connections, sharing versions */
  updatesPerSecond: number
  /** 64 connections, each update as a version of its own */
  versionEachPerSecond: number
}

interface Subject {
  length: number
  statusSize: number
  check: Scenario
  update: Scenario
  versionEach: Scenario
}

/** How checks and updates depend on the length of a list: all lengths in turns, so that what else the machine does meets all. */
export async function measureLengths(
  api: Client,
  target: Target,
  client: LoadClient,
  { seconds, rounds, log }: { seconds: number; rounds: number; log: (text: string) => void },
): Promise<LengthFigures[]> {
  const subjects: Subject[] = []
  for (const length of LENGTHS)
    for (const statusSize of SIZES) subjects.push(await subject(api, length, statusSize))
  const medians = async (scenarioOf: (of: Subject) => Scenario): Promise<number[]> => {
    const found = subjects.map((): number[] => [])
    for (let round = 0; round <= rounds; round++)
      for (const [n, one] of subjects.entries()) {
        const { perSecond } = await client.fire(target, scenarioOf(one), seconds)
        // the first round warms up
        if (round > 0) found[n]?.push(perSecond)
      }
    return found.map(median)
  }
  log(`lists of ${subjects.length} lengths and sizes`)
  const checks = await medians(({ check }) => check)
  const updates = await medians(({ update }) => update)
  const alone = await medians(({ versionEach }) => versionEach)
  return subjects.map(({ length, statusSize }, n) => ({
    length,
    statusSize,
    checksPerSecond: checks[n] ?? NaN,
    updatesPerSecond: updates[n] ?? NaN,
    versionEachPerSecond: alone[n] ?? NaN,
  }))
}

async function subject(api: Client, length: number, statusSize: number): Promise<Subject> {
  const statusPurpose = statusSize === 1 ? 'revocation' : ['revocation', 'suspension']
  const list = await createList(api, { statusPurpose, body: { length, statusSize } })
  const name = `${length} x ${statusSize}`
  let updates = 0
  const changed = () => ({ ...list, indices: [updates++ % length] })
  const update = {
    connections: 64,
    path: '/credential-status/update/unencrypted?listType=BitstringStatusList&statusAction=revoke',
    once: true,
  }
  return {
    length,
    statusSize,
    check: {
      name: `check of ${name}`,
      connections: 16,
      path: CHECK,
      body: (n) => ({ ...list, index: spread(n, length) }),
    },
    update: { ...update, name: `update of ${name}`, body: changed },
    versionEach: {
      ...update,
      name: `a version each of ${name}`,
      // what names different versions is never published together
      body: () => ({ ...changed(), statusListVersion: String(updates) }),
    },
  }
}
