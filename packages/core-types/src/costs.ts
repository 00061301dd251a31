import { AsyncLocalStorage } from 'node:async_hooks'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

/** What was paid to a network, as its ledger writes amounts. */
export type Cost = z.output<typeof schemas.Cost>

/** The answer to something that may have cost something. */
export type WithCost<T> = T & { cost?: Cost }

const counted = new AsyncLocalStorage<{ ncheq: bigint }>()

/** A ledger has been paid for what is being done. @param ncheq - left out: nobody knows */
export function noteCost(ncheq: bigint | undefined): void {
  const count = counted.getStore()
  if (count && ncheq !== undefined) count.ncheq += ncheq
}

/** Runs `work` and tells what was paid for it; nobody else is told. */
export async function countingCost<T>(work: () => Promise<T>): Promise<{ result: T; paid: bigint }> {
  const count = { ncheq: 0n }
  const result = await counted.run(count, work)
  return { result, paid: count.ncheq }
}

/** The answer of `work` with what was paid for it, where that is anything; whoever asked for `work` is told as well. */
export async function withCost<T extends object>(work: () => Promise<T>): Promise<WithCost<T>> {
  const { result, paid } = await countingCost(work)
  noteCost(paid)
  return paid > 0n ? { ...result, cost: { amount: String(paid), denom: 'ncheq' } } : result
}
