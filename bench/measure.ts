import type { BareYardstick } from './load/bare-yardstick.js'
import { type Yardstick } from './load/bare-yardstick.js'
import { one, type LoadClient, type Run, type Scenario, type Target } from './load/load.js'
import type { PeerServer } from './peers.js'
import { processorSeconds } from './processor-time.js'
import type { Row } from './rows.js'

export interface MeasuredService extends Target {
  pid: number
}

/** What the rounds of one line came to: medians, and ratios within a round. */
export interface Figure {
  name: string
  connections: number
  perSecond: number
  p50: number
  p99: number
  /** milliseconds of a processor for each answer */
  serviceMs: number
  bare: Partial<Record<Yardstick, { perSecond: number; ratio: number }>>
  peers: { name: string; perSecond: number; ratio: number }[]
}

export interface Measuring {
  client: LoadClient
  service: MeasuredService
  yardsticks: ReadonlyMap<Yardstick, BareYardstick>
  peers: readonly PeerServer[]
  rounds: number
  seconds: number
}

interface Subject {
  name: string
  fire(seconds: number): Promise<Run & { serviceMs?: number }>
}

/**
 * Everybody who answers this line, one after the other and again: what is slow for a minute is slow for all. The first
 * round warms up.
 */
export async function measureRow(row: Row, connections: number, measuring: Measuring): Promise<Figure> {
  const subjects = await subjectsOf(row, connections, measuring)
  for (const subject of subjects) await subject.fire(Math.min(1, measuring.seconds))
  const rounds: (Run & { serviceMs?: number })[][] = []
  while (rounds.length < measuring.rounds) {
    const round: (Run & { serviceMs?: number })[] = []
    for (const subject of subjects) round.push(await subject.fire(measuring.seconds))
    rounds.push(round)
  }
  const compared = subjects.slice(1).map(({ name }, n) => ({
    name,
    perSecond: median(rounds.map((round) => round[n + 1]?.perSecond ?? NaN)),
    ratio: median(rounds.map((round) => (round[0]?.perSecond ?? NaN) / (round[n + 1]?.perSecond ?? NaN))),
  }))
  const own = (value: (run: Run & { serviceMs?: number }) => number) =>
    median(rounds.flatMap(([first]) => (first ? [value(first)] : [])))
  return {
    name: row.name,
    connections,
    perSecond: own((run) => run.perSecond),
    p50: own((run) => run.p50),
    p99: own((run) => run.p99),
    serviceMs: own((run) => run.serviceMs ?? NaN),
    bare: Object.fromEntries(
      compared.slice(0, row.yardsticks.length).map(({ name, ...figures }) => [name, figures]),
    ),
    peers: compared.slice(row.yardsticks.length),
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN

async function subjectsOf(
  row: Row,
  connections: number,
  { client, service, yardsticks, peers }: Measuring,
): Promise<Subject[]> {
  const scenario: Scenario = { ...row, connections }
  const answer = await one(service, { ...scenario, name: `${row.name}, one` })
  const bare: Subject[] = []
  for (const name of row.yardsticks) {
    const yardstick = yardsticks.get(name)
    if (!yardstick) continue
    bare.push({
      name,
      fire: async (seconds) => {
        await yardstick.answerWith(answer)
        // It stores and answers the same, whatever it is sent.
        return client.fire(yardstick.target, { ...scenario, name: `${name} ${row.name}` }, seconds)
      },
    })
  }
  const others = peers.flatMap((peer): Subject[] => {
    const asked = peer.scenario(row.name, connections)
    return asked ? [{ name: peer.name, fire: (seconds) => client.fire(peer, asked, seconds) }] : []
  })
  return [
    {
      name: 'service',
      fire: (seconds) => withProcessor(service, () => client.fire(service, scenario, seconds)),
    },
    ...bare,
    ...others,
  ]
}

async function withProcessor(
  { pid }: MeasuredService,
  fire: () => Promise<Run>,
): Promise<Run & { serviceMs: number }> {
  const before = processorSeconds(pid)
  const run = await fire()
  return { ...run, serviceMs: ((processorSeconds(pid) - before) * 1000) / run.answers }
}
