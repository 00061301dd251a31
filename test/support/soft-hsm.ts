import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const command = promisify(execFile)

/** Where Debian, Fedora and Homebrew put it. */
const LIBRARIES = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib64/pkcs11/libsofthsm2.so',
  '/usr/lib64/softhsm/libsofthsm2.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
]

export const NO_SOFT_HSM =
  'there is no SoftHSM 2 on this machine: apt-get install softhsm2, or name libsofthsm2.so in SOFTHSM_PATH'

/** A token of SoftHSM in a folder of its own. The library reads where it is when it is initialised. */
export class SoftHsm {
  static readonly pin = '5678'

  private constructor(
    readonly library: string,
    private readonly folder: string,
  ) {}

  /** `SOFTHSM_PATH`, or the library where it usually is */
  static library(): string | undefined {
    return process.env.SOFTHSM_PATH ?? LIBRARIES.find((file) => existsSync(file))
  }

  /** @param label - of the token */
  static async withToken(label: string): Promise<SoftHsm> {
    const library = SoftHsm.library()
    if (library === undefined) throw new Error(NO_SOFT_HSM)
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-softhsm-'))
    await mkdir(join(folder, 'tokens'))
    const file = join(folder, 'softhsm2.conf')
    await writeFile(file, `directories.tokendir = ${join(folder, 'tokens')}\nlog.level = ERROR\n`)
    process.env.SOFTHSM2_CONF = file
    const hsm = new SoftHsm(library, folder)
    await hsm.addToken(label)
    return hsm
  }

  async addToken(label: string): Promise<void> {
    await command('softhsm2-util', [
      ...['--module', this.library, '--init-token', '--free', '--label', label],
      ...['--so-pin', '12345678', '--pin', SoftHsm.pin],
    ])
  }

  /** What pulling the plug of every token is. */
  async unplug(): Promise<void> {
    await rename(join(this.folder, 'tokens'), join(this.folder, 'away'))
    await mkdir(join(this.folder, 'tokens'))
  }

  async plugIn(): Promise<void> {
    await rm(join(this.folder, 'tokens'), { recursive: true })
    await rename(join(this.folder, 'away'), join(this.folder, 'tokens'))
  }

  async remove(): Promise<void> {
    delete process.env.SOFTHSM2_CONF
    await rm(this.folder, { recursive: true, force: true })
  }
}
