import { randomUUID } from 'node:crypto'
import {
  access,
  constants,
  link,
  mkdir,
  open,
  opendir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AgentError, systemCodeOf } from '@vidimus/core-types'

/** Files that belong to no publication: those of servers and of this package. */
export const OWN_FOLDER = '.vidimus'
const UNFINISHED = 'unfinished'
/** Of file systems that servers run on. */
const LONGEST_NAME = 255

/** A folder in which every file is there as a whole, or not at all. */
export class Folder {
  constructor(readonly root: string) {}

  /** Whether it can be created, by the nearest existing folder. @throws the system's error */
  async mustBeCreatable(): Promise<void> {
    let folder = this.root
    while ((await unlessMissing(stat(folder))) === undefined && dirname(folder) !== folder)
      folder = dirname(folder)
    await access(folder, constants.W_OK)
  }

  async prepare(): Promise<void> {
    await mkdir(join(this.root, OWN_FOLDER, UNFINISHED), { recursive: true })
  }

  /** Removes unfinished files of another process; nothing else may be writing. */
  async clean(): Promise<void> {
    await rm(join(this.root, OWN_FOLDER, UNFINISHED), { recursive: true, force: true })
    await this.prepare()
  }

  /** @param path - below the folder; `undefined` if there is none */
  async read(path: string): Promise<Buffer | undefined> {
    return unlessMissing(readFile(this.place(path)))
  }

  /** The paths of all files, one folder after the other. @param except - names at the top */
  async *files(except: readonly string[], below = ''): AsyncGenerator<string> {
    const entries = (await unlessMissing(opendir(join(this.root, below)))) ?? []
    for await (const entry of entries) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (except.includes(path)) continue
      if (entry.isDirectory()) yield* this.files(except, path)
      else yield path
    }
  }

  async exists(path: string): Promise<boolean> {
    return (await unlessMissing(stat(this.place(path)))) !== undefined
  }

  /** A value that changes whenever a file is replaced. */
  async stateOf(path: string): Promise<string> {
    const found = await unlessMissing(stat(this.place(path)))
    return found ? `${found.ino} ${found.mtimeMs} ${found.size}` : 'none'
  }

  /** Seconds since 1970; `undefined` if there is none. */
  async changedAt(path: string): Promise<number | undefined> {
    const found = await unlessMissing(stat(this.place(path)))
    return found && Math.floor(found.mtimeMs / 1000)
  }

  /** Replaces a file atomically. @param seconds - its time of change, since 1970 */
  async replace(path: string, content: Uint8Array | string, seconds?: number): Promise<void> {
    const place = this.place(path)
    const unfinished = this.unfinished()
    await this.folderOf(place)
    const file = await open(unfinished, 'wx', 0o644)
    try {
      await file.writeFile(content)
      if (seconds !== undefined) await file.utimes(seconds, seconds)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, place)
  }

  /** Lets a second path lead to the same file, at once. */
  async alias(path: string, existing: string): Promise<void> {
    const unfinished = this.unfinished()
    await link(this.place(existing), unfinished)
    await rename(unfinished, this.place(path))
    // If both paths lead to one file already, nothing is renamed.
    await rm(unfinished, { force: true })
  }

  async remove(path: string): Promise<void> {
    await unlessMissing(unlink(this.place(path)))
  }

  /** Makes the renames in the folders of these paths durable, whatever happens to the machine. */
  async settle(paths: Iterable<string>): Promise<void> {
    const folders = new Set([...paths].map((path) => dirname(this.place(path))))
    for (const folder of folders) {
      const handle = await unlessMissing(open(folder, 'r'))
      if (!handle) continue
      try {
        await handle.sync()
      } finally {
        await handle.close()
      }
    }
  }

  private unfinished(): string {
    return join(this.root, OWN_FOLDER, UNFINISHED, `.${randomUUID()}`)
  }

  private readonly made = new Set<string>()

  private async folderOf(place: string): Promise<void> {
    const folder = dirname(place)
    if (this.made.has(folder)) return
    await mkdir(folder, { recursive: true })
    if (this.made.size > 10_000) this.made.clear()
    this.made.add(folder)
  }

  /** @throws AgentError `invalid_input` for what cannot be the path of a file */
  private place(path: string): string {
    if (isFilePath(path)) return join(this.root, ...path.split('/'))
    throw new AgentError('invalid_input', 'its address cannot be the name of a file')
  }
}

/** Whether a file can have this path, which must not lead outside of the folder. */
export const isFilePath = (path: string): boolean =>
  path
    .split('/')
    .every(
      (step) => !/^\.{0,2}$/.test(step) && !step.includes('\0') && Buffer.byteLength(step) <= LONGEST_NAME,
    )

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
