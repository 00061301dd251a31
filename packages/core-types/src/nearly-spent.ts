import { tellAccount, type AccountEventSink } from './account-events.js'
import { inCheq } from './coins.js'
import { log } from './service-log.js'
import type { SpentBudget } from './status-list-store.js'

/** The purpose of a budget, and its name for people. */
const BUDGETS = { fees: 'fees', writes: 'what is written' } as const

/**
 * Notifies the account in scope that most of a daily budget is spent. The total of all accounts is only for the
 * operator, in the log.
 *
 * @param events - absent: the account gets no event
 */
export async function tellNearlySpent(
  events: AccountEventSink | undefined,
  network: string,
  budget: keyof typeof BUDGETS,
  { limit, used, most, until }: SpentBudget,
): Promise<void> {
  const data = {
    budget,
    used: inCheq(used),
    limit: inCheq(most),
    until: until.toISOString(),
  }
  log('warn', `80 % of what may be spent on ${BUDGETS[budget]} in a day are spent on ${network}`, {
    counted: limit,
    ...data,
  })
  if (limit !== 'accountDay') return
  const event = { type: 'budget.nearly-spent', subject: network, data } as const
  await tellAccount(events, event, 'that its budget is nearly spent')
}
