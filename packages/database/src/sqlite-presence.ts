import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AgentError, systemCodeOf } from '@vidimus/core-types'
import type { Release } from './database-engine.js'
import { lockFile } from './process-lock.js'

/** The parts around the id in the name of a file, after the name of the database's. */
const [MARK, END] = ['-present-', '.lock']

/**
 * Registers the presence of a process by the lock on a separate file, beside the database, which the operating system
 * releases with the process. Leftover files are removed when they are found free.
 */
export class SqlitePresence {
  readonly id = randomUUID()
  private taken: Promise<Release> | undefined

  /**
   * @param database - path of the database's file
   * @param createFile - returns the obstacle
   */
  constructor(
    private readonly database: string,
    private readonly createFile: (file: string) => Promise<string | undefined>,
  ) {}

  /** Its file, while it is present. */
  get file(): string {
    return this.fileOf(this.id)
  }

  /** @throws AgentError `unavailable` */
  async take(): Promise<string> {
    this.taken ??= this.lock()
    try {
      await this.taken
    } catch (error) {
      this.taken = undefined
      throw error
    }
    return this.id
  }

  async isPresent(id: string): Promise<boolean> {
    const file = this.fileOf(id)
    return (await exists(file)) && !(await removeIfFree(file))
  }

  /** How many other processes are present. */
  async others(): Promise<number> {
    let count = 0
    for (const file of await this.files()) {
      if (file !== this.file && !(await removeIfFree(file))) count += 1
    }
    return count
  }

  async end(): Promise<void> {
    const { taken } = this
    this.taken = undefined
    const release = await taken?.catch(() => undefined)
    if (!release) return
    // While it is locked: others find it locked or gone.
    await rm(this.file, { force: true })
    await release()
  }

  private async lock(): Promise<Release> {
    await this.removeLeftOver()
    const { file } = this
    for (;;) {
      const obstacle = await this.createFile(file)
      if (obstacle !== undefined) throw new AgentError('unavailable', obstacle)
      const release = await lockFile(file)
      // Another process that found it free before it was locked has removed it, or is about to.
      if (release && (await exists(file))) return release
      await release?.()
    }
  }

  private async removeLeftOver(): Promise<void> {
    for (const file of await this.files()) await removeIfFree(file)
  }

  private async files(): Promise<string[]> {
    const folder = dirname(this.database)
    const before = `${basename(this.database)}${MARK}`
    const names = await readdir(folder)
    return names
      .filter((name) => name.startsWith(before) && name.endsWith(END))
      .map((name) => join(folder, name))
  }

  private fileOf(id: string): string {
    return `${this.database}${MARK}${id}${END}`
  }
}

/** @returns whether it was free */
async function removeIfFree(file: string): Promise<boolean> {
  const release = await lockFile(file)
  if (!release) return false
  await rm(file, { force: true })
  await release()
  return true
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file)
    return true
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return false
    throw error
  }
}
