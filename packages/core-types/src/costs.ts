import { AsyncLocalStorage } from 'node:async_hooks'
import type { z } from 'zod'
import type * as schemas from './schemas/index.js'

/** An amount paid to a network, as its ledger writes amounts. */
export type Cost = z.output<typeof schemas.Cost>

/** A response to something that may have cost something. */
export type WithCost<T> = T & { cost?: Cost }

const counted = new AsyncLocalStorage<{ ncheq: bigint }>()

/** Reports that a ledger was paid for the current work. @param ncheq - absent: unknown */
export function noteCost(ncheq: bigint | undefined): void {
  const count = counted.getStore()
  if (count && ncheq !== undefined) count.ncheq += ncheq
}

/** Runs `work` and returns what was paid for it, without reporting it further. */
export async function countingCost<T>(work: () => Promise<T>): Promise<{ result: T; paid: bigint }> {
  const count = { ncheq: 0n }
  const result = await counted.run(count, work)
  return { result, paid: count.ncheq }
}

/** The result of `work` with what was paid for it, if anything; the caller of `work` gets the report as well. */
export async function withCost<T extends object>(work: () => Promise<T>): Promise<WithCost<T>> {
  const count = { ncheq: 0n }
  const result = await counted.run(count, work)
  const { ncheq } = count
  noteCost(ncheq)
  return ncheq > 0n ? { ...result, cost: { amount: String(ncheq), denom: 'ncheq' } } : result
}
