import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Client } from '../../support/client.js'
import { untilSettled } from './settled.js'
import type { Facts } from './facts.js'

/** What the service publishes, as a web server would read it. */
export class PublishedFolder {
  constructor(readonly folder: string) {}

  /** Nothing can be written for a while. */
  async block(ms: number): Promise<void> {
    const unfinished = join(this.folder, '.vidimus/unfinished')
    // A process that starts meanwhile removes it, and makes it again.
    await rename(unfinished, `${unfinished}-${randomUUID()}`).catch(() => undefined)
    await writeFile(unfinished, '').catch(() => undefined)
    await setTimeout(ms)
    await unlink(unfinished).catch(() => undefined)
    await mkdir(unfinished, { recursive: true })
  }

  /** Whatever the service serves of a list, the folder has in the end. */
  async read(client: Client, facts: Facts): Promise<void> {
    for (const { address } of facts.lists) {
      const path = `1.0/identifiers/${address}`
      const isSame = await untilSettled(
        async () => {
          const response = await fetch(`${client.url}/${path}`)
          const body = Buffer.from(await response.arrayBuffer())
          if (response.status !== 200) return response.status !== 429
          return body.equals(await readFile(join(this.folder, path)).catch(() => Buffer.of()))
        },
        (same) => same,
      )
      facts.hold(isSame, () => `acknowledged: the folder does not have what is served of ${address}`)
    }
  }
}
