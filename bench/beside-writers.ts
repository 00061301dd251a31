import { LoadClient, type Scenario } from './load/load.js'
import { median, type MeasuredService } from './measure.js'
import { CHECK } from './rows.js'
import { spread, type ListName, type Subjects } from './subjects.js'

/** Checks, undisturbed and beside writing clients. */
export interface Disturbed {
  connections: number
  /** what the writers do */
  writing: string
  alone: number
  beside: number
  writes: number
  ratio: number
}

const WRITERS = 4
const UPDATE = '/credential-status/update/unencrypted?listType=BitstringStatusList&statusAction=revoke'

/** @param seconds - of each of both, in turns, `rounds` times */
export async function measureBesideWriters(
  service: MeasuredService,
  { list, many }: Subjects,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Disturbed[]> {
  const [readers, writers] = [await LoadClient.start(), await LoadClient.start()]
  const update = (name: string, lists: readonly ListName[]): Scenario => ({
    name,
    connections: WRITERS,
    path: UPDATE,
    once: true,
    body: (n) => ({ ...lists[n % lists.length], indices: [spread(Math.floor(n / lists.length))] }),
  })
  const writing = [
    update('update other lists', many),
    update('update the same list', [list]),
    {
      name: 'create did:cheqd',
      connections: WRITERS,
      path: '/did/create',
      once: true,
      body: () => ({ network: 'testnet' }),
    },
  ]
  const found: Disturbed[] = []
  for (const connections of [1, 16])
    for (const written of writing) {
      const check: Scenario = {
        name: 'check',
        connections,
        path: CHECK,
        body: (n) => ({ ...list, index: spread(n) }),
      }
      const pairs: { alone: number; beside: number; writes: number }[] = []
      for (let round = 0; round <= rounds; round++) {
        const alone = await readers.fire(service, check, seconds)
        const [beside, writes] = await Promise.all([
          readers.fire(service, check, seconds),
          writers.fire(service, written, seconds),
        ])
        // the first round warms up
        if (round > 0)
          pairs.push({ alone: alone.perSecond, beside: beside.perSecond, writes: writes.perSecond })
      }
      const of = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value))
      found.push({
        connections,
        writing: written.name,
        alone: of(({ alone }) => alone),
        beside: of(({ beside }) => beside),
        writes: of(({ writes }) => writes),
        ratio: of(({ alone, beside }) => beside / alone),
      })
    }
  readers.stop()
  writers.stop()
  return found
}
