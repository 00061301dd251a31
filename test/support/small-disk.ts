import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const BALLAST = 'ballast'

const command = promisify(execFile)

/** A disk of its own, made of memory, which takes the right to mount. */
export class SmallDisk {
  private ballasts = 0

  private constructor(readonly folder: string) {}

  static async mount(megabytes: number): Promise<SmallDisk> {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-small-disk-'))
    try {
      await command('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
      return new SmallDisk(folder)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  /** @returns why there is none on this machine */
  static async obstacle(): Promise<string | undefined> {
    try {
      await (await SmallDisk.mount(1)).unmount()
      return undefined
    } catch {
      return 'as mounting a small disk needs root'
    }
  }

  /** Takes all the room that is left. */
  async fill(): Promise<void> {
    const { bavail, bsize } = await statfs(this.folder)
    if (bavail === 0) return
    try {
      this.ballasts += 1
      await writeFile(join(this.folder, `${BALLAST}-${this.ballasts}`), Buffer.alloc(bavail * bsize))
    } catch (error) {
      // Others have taken some of it meanwhile: so much the better.
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }

  /** Gives the room back that {@link fill} took. */
  async clear(): Promise<void> {
    for (const file of await readdir(this.folder)) {
      if (file.startsWith(BALLAST)) await rm(join(this.folder, file))
    }
  }

  async unmount(): Promise<void> {
    await command('umount', [this.folder])
    await rm(this.folder, { recursive: true, force: true })
  }
}
