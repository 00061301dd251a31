import { createList } from '../test/behaviour/suite.js'
import type { Client } from '../test/support/client.js'
import type { BareYardstick } from './bare-yardstick.js'
import { fire, type Scenario, type Target } from './fire.js'

const LENGTHS = [131_072, 1_000_000, 10_000_000]
const SIZES = [1, 2]
/** Rounds of checks, one list after the other, so that what else the machine does meets all of them. */
const ROUNDS = 7

export interface LengthFigures {
  length: number
  statusSize: number
  checksPerSecond: number
  /** 64 connections, sharing versions */
  updatesPerSecond: number
  /** 64 connections, each update as a version of its own */
  versionEachPerSecond: number
  barePerSecond: number
}

interface Subject {
  length: number
  statusSize: number
  check: Scenario
  update: Scenario
  versionEach: Scenario
}

/** How checks and updates depend on the length of a list. */
export async function measureLengths(
  client: Client,
  target: Target,
  bare: BareYardstick,
  { seconds, log }: { seconds: number; log: (text: string) => void },
): Promise<LengthFigures[]> {
  const subjects: Subject[] = []
  for (const length of LENGTHS)
    for (const statusSize of SIZES) subjects.push(await subject(client, length, statusSize))
  log(`checks of lists of ${subjects.length} lengths and sizes, ${ROUNDS} rounds`)
  const checks = await medianPerSecond(
    target,
    subjects.map(({ check }) => check),
  )
  const figures: LengthFigures[] = []
  for (const [n, { length, statusSize, update, versionEach }] of subjects.entries()) {
    log(`updates of ${length} entries of ${statusSize} bits, together and each alone`)
    figures.push({
      length,
      statusSize,
      checksPerSecond: checks[n] ?? NaN,
      updatesPerSecond: (await fire(target, update, { seconds })).requests.average,
      versionEachPerSecond: (await fire(target, versionEach, { seconds })).requests.average,
      barePerSecond: await bare.perSecond(target, update, seconds),
    })
  }
  return figures
}

async function subject(client: Client, length: number, statusSize: number): Promise<Subject> {
  const statusPurpose = statusSize === 1 ? 'revocation' : ['revocation', 'suspension']
  const list = await createList(client, { statusPurpose, body: { length, statusSize } })
  const query = 'listType=BitstringStatusList'
  const spread = (n: number) => (n * 7919) % length
  const connections = 64
  let updates = 0
  const changed = () => ({ ...list, indices: [updates++ % length] })
  const update = `/credential-status/update/unencrypted?${query}&statusAction=revoke`
  return {
    length,
    statusSize,
    check: {
      name: `check of ${length} x ${statusSize}`,
      connections: 16,
      path: `/credential-status/check?${query}&statusPurpose=revocation`,
      body: (n) => ({ ...list, index: spread(n) }),
    },
    update: { name: 'update', connections, path: update, body: changed },
    versionEach: {
      name: 'a version each',
      connections,
      path: update,
      // what names different versions is never published together
      body: () => ({ ...changed(), statusListVersion: String(updates) }),
    },
  }
}

async function medianPerSecond(target: Target, scenarios: readonly Scenario[]): Promise<number[]> {
  const found = scenarios.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [n, scenario] of scenarios.entries()) {
      const { requests } = await fire(target, scenario, { seconds: 1 })
      // the first round warms up
      if (round > 0) found[n]?.push(requests.average)
    }
  }
  return found.map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? NaN)
}
