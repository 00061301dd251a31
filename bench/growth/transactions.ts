import { scrape } from '../../test/support/scrape.js'
import { answered } from './compare.js'
import type { Installation } from './installation.js'
import type { Known } from './known.js'
import { OPERATIONS } from './operations.js'

const CALLS = 20
const COUNTED = 'vidimus_database_transaction_duration_seconds'

/**
 * How many write transactions an operation waits for or leaves behind, one request after the other, so that each has a COMMIT of
 * its own.
 *
 * @returns by the name of the operation
 */
export async function transactionsOfWrites(
  installation: Installation,
  known: Known,
): Promise<Map<string, number>> {
  const { service } = installation
  const committed = async () => {
    const counts = (await scrape(service)).get(COUNTED)?.samples ?? []
    const counted = counts.find(
      ({ name, labels }) => name.endsWith('_count') && labels.outcome === 'committed',
    )
    return counted?.value ?? 0
  }
  const found = new Map<string, number>()
  let n = 2_000_000
  for (const { name, connections, call } of OPERATIONS.writes) {
    if (connections > 1) continue
    const before = await committed()
    for (let done = 0; done < CALLS; done += 1)
      await answered(service.url, known.apiKey, call(known, (n += 1)))
    found.set(name, ((await committed()) - before) / CALLS)
  }
  return found
}
