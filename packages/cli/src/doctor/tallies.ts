import { wrongTallies, type WrongTally } from '@vidimus/accounts'
import type { Finding } from '@vidimus/core-types'
import type { CountsStored, Database } from '@vidimus/database'
import { configurationArgument } from '../installation.js'

const EXAMPLES = 3

/** Checks that the tallies used by quotas match what accounts have. */
export async function tallyFindings(
  database: Pick<Database, 'readConsistently'>,
  counters: readonly CountsStored[],
  file: string,
): Promise<Finding[]> {
  const name = 'quotas'
  if (counters.length === 0) return []
  const wrong = await wrongTallies(database, counters)
  if (wrong.length === 0)
    return [{ name, level: 'ok', message: 'the usage of all accounts is counted correctly' }]
  const shown = wrong.slice(0, EXAMPLES).map(tallyText).join('; ')
  const message = `counted wrong: ${shown}${wrong.length > EXAMPLES ? `; and ${wrong.length - EXAMPLES} more` : ''}`
  const advice = `vidimus account recount${configurationArgument(file)} recounts everything; please report this`
  return [{ name, level: 'warn', message, advice }]
}

/** One tally that is wrong, as people read it. */
export const tallyText = ({ accountName, kind, n, tallied }: WrongTally): string =>
  `account "${accountName}" has ${n} ${kind}, and ${tallied} were counted`
