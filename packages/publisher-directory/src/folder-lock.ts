import { setTimeout as pause } from 'node:timers/promises'
import { AgentError } from '@vidimus/core-types'
import { lockFile, type Release } from '@vidimus/database'

const TRY_EVERY_MS = 20

/**
 * Keeps other processes of this machine away from a folder while this one writes to it, until all its works are done.
 * The operating system releases the lock with the process.
 */
export class FolderLock {
  private works = 0
  private held: Promise<Release> | undefined

  constructor(
    private readonly file: string,
    private readonly timeoutMs: number,
    /** called each time before the first of its works begins */
    private readonly taken: () => Promise<void>,
  ) {}

  /** @throws AgentError `unavailable` if another process takes too long */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.works += 1
    this.held ??= this.take()
    const { held } = this
    try {
      await held
      return await work()
    } finally {
      this.works -= 1
      if (this.works === 0) {
        this.held = undefined
        await held.then((release) => release()).catch(() => undefined)
      }
    }
  }

  private async take(): Promise<Release> {
    for (const end = performance.now() + this.timeoutMs; performance.now() < end;) {
      const release = await lockFile(this.file)
      if (release) return this.after(release)
      await pause(TRY_EVERY_MS)
    }
    throw new AgentError(
      'unavailable',
      'another process is holding the folder of the publication for too long',
    )
  }

  private async after(release: Release): Promise<Release> {
    try {
      await this.taken()
      return release
    } catch (error) {
      await release()
      throw error
    }
  }
}
