import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { getListFromStatusListJWT } from '@sd-jwt/jwt-status-list'
import { emptyInstallation, type Place } from '../support/fresh-database.js'
import { didOf, listOf, publishing } from '../support/static-publication-suite.js'
import { until } from '../support/until.js'
import { withFleet, type Fleet } from './fleet.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  place: Place
  kills: number
  /** while a process is killed */
  updates: number
}

const RULE =
  'Two processes publish a list into a folder, and each in turn is killed (`kill -9`) while one of them ' +
  'publishes it. Readers of the folder never get an older version than before, in any form; after the last ' +
  'start the folder has every acknowledged change.'

/** Reads a list over and over, as a web server would. */
class Reader {
  /** the greatest index that was seen to be revoked, 0 before any */
  newest = 0
  versions = 0
  private over = false

  constructor(private readonly path: string) {}

  /** @throws AssertionError where a file is older than what was read before */
  async run(): Promise<void> {
    while (!this.over) {
      for (const form of ['', '.statuslist+jwt', '.statuslist+jwt.gz']) {
        const content = await readFile(this.path + form).catch(() => undefined)
        if (content) this.look((form.endsWith('.gz') ? gunzipSync(content) : content).toString(), form)
      }
      await pause(1)
    }
  }

  stop(): void {
    this.over = true
  }

  private look(jwt: string, form: string): void {
    const list = getListFromStatusListJWT(jwt)
    const isOlder = this.newest > 0 && list.getStatus(this.newest) === 0
    assert.equal(
      isOlder,
      false,
      `"${form}" is older than what was read before: ${this.newest} is not revoked`,
    )
    const before = this.newest
    while (list.getStatus(this.newest + 1) !== 0) this.newest += 1
    if (this.newest > before) this.versions += 1
  }
}

async function run({ place, kills, updates }: Size): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-published-'))
  const options = {
    processes: 2,
    databaseUrl: await emptyInstallation(place),
    configure: publishing('directory'),
    environment: { VIDIMUS_PUBLISH_DIRECTORY: folder, LOG_LEVEL: 'error' },
  }
  try {
    return await withFleet(options, async (fleet) => {
      const list = await listOf(fleet.client(), await didOf(fleet.client()), 'TokenStatusList')
      const reader = new Reader(join(folder, 'status-lists', list.statusListId))
      const reading = reader.run()
      // It is asked for at the end.
      reading.catch(() => undefined)
      let acknowledged = 0
      const revokeNext = async (fleet: Fleet, n: number) => {
        await fleet.client(n).ok('POST', '/credential-status/update/unencrypted', {
          query: { listType: list.listType, statusAction: 'revoke' },
          json: { did: list.did, statusListName: list.statusListName, indices: [acknowledged + 1] },
        })
        acknowledged += 1
      }
      for (let n = 0; n < kills; n += 1) {
        const writing = (async () => {
          for (let update = 0; update < updates; update += 1) await revokeNext(fleet, n + 1)
        })()
        await pause(40 + Math.random() * 200)
        await fleet.kill(fleet.member(n))
        await writing
        await fleet.restart(fleet.member(n))
        // A reader that has failed never gets there.
        await Promise.race([reading, until(() => reader.newest >= acknowledged)])
      }
      reader.stop()
      await reading
      assert.ok(reader.versions >= kills, `only ${reader.versions} versions were read`)
      return { kills, updates: acknowledged, 'versions read': reader.versions }
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const publication = trialOf(
  'publication',
  RULE,
  {
    full: { place: 'PostgreSQL', kills: 40, updates: 30 },
    short: { place: 'SQLite', kills: 2, updates: 10 },
  },
  run,
)
