import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { link, open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  createFolder,
  fileObstacle,
  isAgentError,
  systemCodeOf,
  type FinishedReplacement,
} from '@vidimus/core-types'
import { checkedSecret, misconfigured } from './secret-shape.js'
import type { Secrets } from './secrets.js'

/** More lines cannot be intended. */
const MOST_SECRETS = 16

/**
 * A file of secrets, one per line, readable only by the owner: the current one first, then those whose texts must
 * still open. It is always replaced as a whole.
 */
export class SecretFile implements Secrets {
  readonly origin: string
  readonly areMadeHere = true

  /**
   * @param path - absolute
   * @param place - the option that it comes from, for errors
   * @param nameOf - the id of a secret, for the names of files that old ones are put aside in
   */
  constructor(
    readonly path: string,
    private readonly place: string,
    private readonly nameOf: (secret: string) => string,
  ) {
    this.origin = `the file ${path}`
  }

  // Synchronous, as an envelope that meets a text of another secret must read the file before it returns.
  read(): readonly string[] {
    try {
      const found = statSync(this.path)
      if (found.isDirectory()) throw this.misplaced(fileObstacle(this.path, 'EISDIR', 'read'))
      if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
        const remedy = `run: chmod 600 ${this.path}`
        throw this.misplaced(`other users can read the secret in ${this.path}; ${remedy}`)
      }
      return this.parse(readFileSync(this.path, 'utf8'))
    } catch (error) {
      const code = systemCodeOf(error)
      // A parent folder that is a file is reported by name when the folder is created.
      if (code === 'ENOENT' || code === 'ENOTDIR') return []
      throw code === undefined || isAgentError(error)
        ? error
        : this.misplaced(fileObstacle(this.path, code, 'read'))
    }
  }

  /** Of several processes that do so at once, all get the same secret. */
  async make(): Promise<void> {
    if (this.read().length > 0) return
    const folder = dirname(this.path)
    const obstacle = await createFolder(folder)
    if (obstacle !== undefined) throw this.misplaced(obstacle)
    // A link appears whole or not at all, and only if there is none yet: one of several processes wins.
    await this.put([randomSecret()], (draft) => link(draft, this.path), ['EEXIST'])
    if (this.read().length === 0) {
      throw this.misplaced(`the secret in ${this.path} was removed while it was being created`)
    }
  }

  async begin(secret?: string): Promise<{ resumed: boolean }> {
    const [current, ...previous] = this.read()
    const wanted = secret === undefined ? undefined : checkedSecret(secret, 'secret', 'the new secret')
    if (previous.length > 0) {
      if (wanted === undefined || wanted === current) return { resumed: true }
      const message = `an earlier rotation to another secret is unfinished; run it without a new secret first`
      throw misconfigured('secret', message)
    }
    if (wanted !== undefined && wanted === current) {
      throw misconfigured('secret', 'the new secret is the current one')
    }
    const old = current === undefined ? [] : [current]
    await this.replaceBy([wanted ?? randomSecret(), ...old])
    return { resumed: false }
  }

  async finish({ keepOld }: { keepOld: boolean }): Promise<FinishedReplacement> {
    const [current, ...previous] = this.read()
    const kept: string[] = []
    for (const secret of keepOld ? previous : []) {
      const path = `${this.path}.${this.nameOf(secret)}.old`
      await this.put([secret], (draft) => rename(draft, path))
      kept.push(path)
    }
    if (current !== undefined && previous.length > 0) await this.replaceBy([current])
    return { kept }
  }

  private async replaceBy(secrets: readonly string[]): Promise<void> {
    await this.removeDrafts()
    await this.put(secrets, (draft) => rename(draft, this.path))
  }

  /** @param acceptable - codes of the operating system for which nothing needs to be done */
  private async put(
    secrets: readonly string[],
    place: (draft: string) => Promise<void>,
    acceptable: readonly string[] = [],
  ): Promise<void> {
    const draft = `${this.path}.${randomUUID()}`
    try {
      await writeDurably(draft, secrets.map((secret) => `${secret}\n`).join(''))
      await place(draft)
      await syncFolder(dirname(this.path))
    } catch (error) {
      const code = systemCodeOf(error)
      if (code === undefined) throw error
      if (!acceptable.includes(code)) throw this.misplaced(fileObstacle(this.path, code, 'created'))
    } finally {
      await unlink(draft).catch(() => undefined)
    }
  }

  /** A process that was killed may have left one, and it holds secrets. */
  private async removeDrafts(): Promise<void> {
    const folder = dirname(this.path)
    const uuid = /^\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
    const name = basename(this.path)
    for (const entry of await readdir(folder)) {
      if (entry.startsWith(name) && uuid.test(entry.slice(name.length))) {
        await unlink(join(folder, entry)).catch(() => undefined)
      }
    }
  }

  private parse(text: string): string[] {
    const lines = text.split('\n').map((line) => line.trim())
    const secrets = lines.filter((line) => line !== '')
    if (secrets.length === 0 || secrets.length > MOST_SECRETS) {
      checkedSecret('', this.place, `the content of ${this.path}`)
    }
    return secrets.map((secret, n) =>
      checkedSecret(
        secret,
        this.place,
        secrets.length === 1 ? `the content of ${this.path}` : `line ${n + 1} of ${this.path}`,
      ),
    )
  }

  private misplaced(message: string) {
    return misconfigured(this.place, message)
  }
}

const randomSecret = () => randomBytes(32).toString('hex')

async function writeDurably(path: string, content: string): Promise<void> {
  const created = await open(path, 'wx', 0o600)
  try {
    await created.writeFile(content)
    await created.sync()
  } finally {
    await created.close()
  }
}

/** Without this the name of a new file may be lost in a power failure although its content is on the disk. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
