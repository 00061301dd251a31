import { CACHES, type CacheBudget, type Entry } from './cache-budget.js'
import { memoryOf } from './memory-of.js'

/** The approximate size of an entry beside its key and value, in bytes. */
const ENTRY_OVERHEAD = 160

export interface CacheOptions<Value> {
  /** memory that a value keeps, in bytes; default {@link memoryOf} */
  sizeOf?: (value: Value) => number
  /** default: that of this process */
  budget?: CacheBudget
}

/**
 * Values that are kept to save work, and may be dropped at any time without harm: within the one budget of all
 * caches. Bytes in values must own their memory (see `ownMemory`); values must not be modified.
 */
export class Cache<Value> {
  private readonly entries = new Map<string, Entry<Value>>()
  private readonly sizeOf: (value: Value) => number
  private readonly budget: CacheBudget

  /** @param name - its content, for the metrics; caches of one name are counted together */
  constructor(
    private readonly name: string,
    { sizeOf = memoryOf, budget = CACHES }: CacheOptions<Value> = {},
  ) {
    this.sizeOf = sizeOf
    this.budget = budget
    budget.know(name)
  }

  get(key: string): Value | undefined {
    const entry = this.entries.get(key)
    if (entry) this.budget.used(entry)
    return entry?.value
  }

  /** As {@link get}, which does not count as a use. */
  peek(key: string): Value | undefined {
    return this.entries.get(key)?.value
  }

  /** Values larger than the budget are not kept. */
  set(key: string, value: Value): void {
    this.delete(key)
    const { name, entries: home } = this
    const bytes = ENTRY_OVERHEAD + memoryOf(key) + this.sizeOf(value)
    if (bytes <= this.budget.bytes) this.budget.add({ name, key, value, bytes, home })
  }

  delete(key: string): void {
    const entry = this.entries.get(key)
    if (entry) this.budget.remove(entry)
  }

  clear(): void {
    for (const entry of this.entries.values()) this.budget.remove(entry)
  }
}
