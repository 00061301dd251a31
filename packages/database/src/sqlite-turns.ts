import { setTimeout } from 'node:timers/promises'
import type { Release } from './database-engine.js'
import { FileLock, lockFile } from './process-lock.js'
import { IMPATIENT_MS, type TurnOptions } from './turn-options.js'

/** The longest pause between two checks; SQLite does not notify of a free lock. */
const LOOK_EVERY_MS = 5

/**
 * Lets a work of one process on a file run alone among those that ask. Only patient works do, one at a time; the
 * others wait until there is none, and then run concurrently. If each queued, only one of several processes would
 * work at a time, although only their COMMITs cannot run concurrently.
 *
 * It is a courtesy, not a guarantee: a work proceeds if it does not get the lock in time, or if the lock cannot be
 * used, as its own statements then report the problem.
 */
export class SqliteTurns {
  private watched: Promise<FileLock> | undefined

  /**
   * @param file - names a file that the processes on the database share, and makes it
   * @param patienceMs - how long a patient work waits
   */
  constructor(
    private readonly file: () => Promise<string>,
    private readonly patienceMs: number,
  ) {}

  /** @throws what `work` throws */
  async take<T>(work: () => Promise<T>, { patient = false }: TurnOptions = {}): Promise<T> {
    const release = await (patient ? this.alone() : this.afterOthers()).catch(() => undefined)
    try {
      return await work()
    } finally {
      await release?.().catch(() => undefined)
    }
  }

  async close(): Promise<void> {
    const { watched } = this
    this.watched = undefined
    const lock = await watched?.catch(() => undefined)
    await lock?.close()
  }

  private async alone(): Promise<Release | undefined> {
    const file = await this.file()
    return until(this.patienceMs, () => lockFile(file))
  }

  private async afterOthers(): Promise<undefined> {
    const lock = await this.watch()
    await until(IMPATIENT_MS, async () => (await lock.isFree()) || undefined)
  }

  private watch(): Promise<FileLock> {
    this.watched ??= this.file().then((file) => FileLock.open(file))
    this.watched.catch(() => (this.watched = undefined))
    return this.watched
  }
}

/** @returns `undefined` if it was not free in time */
async function until<T>(limitMs: number, find: () => Promise<T | undefined>): Promise<T | undefined> {
  const end = performance.now() + limitMs
  for (;;) {
    const found = await find()
    if (found !== undefined || performance.now() >= end) return found
    await setTimeout(Math.random() * LOOK_EVERY_MS)
  }
}
