import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'

const MEBIBYTE = 1_048_576
const SHARE_OF_MEMORY = 1 / 8
/** Cached objects are in V8's heap, which everything else needs as well. */
const SHARE_OF_HEAP = 1 / 4
/** If it is unknown how much of the machine is for this process. */
const MOST_WITHOUT_CONTAINER = 256 * MEBIBYTE
const LEAST = 16 * MEBIBYTE

/** A cached value, in the order of use of all caches. */
export interface Entry<Value = unknown> {
  /** of its cache, by which it is counted */
  readonly name: string
  readonly key: string
  readonly value: Value
  readonly bytes: number
  /** its key in its cache */
  readonly home: Map<string, Entry<Value>>
  older?: Entry | undefined
  newer?: Entry | undefined
}

/**
 * The bytes that caches may use together: beyond that the least recently used value is dropped, whichever cache has
 * it.
 */
export class CacheBudget {
  private readonly taken = new Map<string, number>()
  private total = 0
  private newest: Entry | undefined
  private oldest: Entry | undefined

  constructor(private limit = defaultCacheBytes()) {}

  get bytes(): number {
    return this.limit
  }

  set bytes(limit: number) {
    this.limit = limit
    this.shrink()
  }

  /** The bytes in use, by the names of caches. */
  get takenBy(): ReadonlyMap<string, number> {
    return this.taken
  }

  /** Begins to count a cache, also while it has nothing. */
  know(name: string): void {
    this.count(name, 0)
  }

  add<Value>(entry: Entry<Value>): void {
    entry.home.set(entry.key, entry)
    this.count(entry.name, entry.bytes)
    this.putFirst(entry)
    this.shrink()
  }

  used(entry: Entry): void {
    if (entry === this.newest) return
    this.takeOut(entry)
    this.putFirst(entry)
  }

  remove(entry: Entry): void {
    entry.home.delete(entry.key)
    this.count(entry.name, -entry.bytes)
    this.takeOut(entry)
  }

  private shrink(): void {
    while (this.total > this.limit && this.oldest) this.remove(this.oldest)
  }

  private count(name: string, bytes: number): void {
    this.taken.set(name, (this.taken.get(name) ?? 0) + bytes)
    this.total += bytes
  }

  private putFirst(entry: Entry): void {
    entry.older = this.newest
    if (this.newest) this.newest.newer = entry
    this.newest = entry
    this.oldest ??= entry
  }

  private takeOut(entry: Entry): void {
    const { older, newer } = entry
    if (older) older.newer = newer
    else this.oldest = newer
    if (newer) newer.older = older
    else this.newest = older
    entry.older = undefined
    entry.newer = undefined
  }
}

/**
 * The default for caches: an eighth of what the container may use, or of the machine, then at most 256 MiB; and at
 * most a quarter of V8's heap.
 *
 * @param memory - in bytes; `container` is 0, or more than the machine has, if there is no limit
 */
export function defaultCacheBytes(
  memory = {
    container: process.constrainedMemory(),
    machine: totalmem(),
    heap: getHeapStatistics().heap_size_limit,
  },
): number {
  const { container, machine, heap } = memory
  const isLimited = container > 0 && container < machine
  const share = isLimited
    ? container * SHARE_OF_MEMORY
    : Math.min(machine * SHARE_OF_MEMORY, MOST_WITHOUT_CONTAINER)
  return Math.max(LEAST, Math.floor(Math.min(share, heap * SHARE_OF_HEAP)))
}

/** The caches of this process have one budget, whichever object of `agent.yml` they belong to: its memory is one as well. */
export const CACHES = new CacheBudget()
