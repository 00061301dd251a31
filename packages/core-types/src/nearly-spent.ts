import type { AccountEventSink } from './account-events.js'
import { log } from './service-log.js'
import type { SpentBudget } from './status-list-store.js'

const NCHEQ_PER_CHEQ = 1e9

/** What a budget is for, and how people call that. */
const BUDGETS = { fees: 'fees', writes: 'what is written' } as const

/**
 * Tells the account in scope that most of a budget of the day is spent. What all accounts spend together is for the operator
 * alone to see, in the log.
 *
 * @param events - left out: the account is not told
 */
export async function tellNearlySpent(
  events: AccountEventSink | undefined,
  network: string,
  budget: keyof typeof BUDGETS,
  { limit, used, most, until }: SpentBudget,
): Promise<void> {
  const data = {
    budget,
    used: Number(used) / NCHEQ_PER_CHEQ,
    limit: Number(most) / NCHEQ_PER_CHEQ,
    until: until.toISOString(),
  }
  log('warn', `80 % of what may be spent on ${BUDGETS[budget]} in a day are spent on ${network}`, {
    counted: limit,
    ...data,
  })
  if (limit !== 'accountDay') return
  try {
    const told = await events?.announce({ type: 'budget.nearly-spent', subject: network, data })
    told?.happened()
  } catch (error) {
    log('warn', 'an account was not told that its budget is nearly spent', {}, error)
  }
}
