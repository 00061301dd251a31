import assert from 'node:assert/strict'
import type { Client } from '../support/client.js'
import { Disaster, type List } from '../support/disaster.js'
import { copyOfDatabase, emptyInstallation } from '../support/fresh-database.js'
import { PostgresServer } from '../support/postgres-server.js'
import { refusedStart } from '../support/refused-start.js'
import type { ServiceHere } from '../support/service-here.js'
import { trialOf, type Figures } from './trial.js'

interface Size {
  /** after the point that the database is restored to */
  changes: number
}

const RULE =
  'A database with a static publication is lost after allocations, revocations, registered credentials, and rotated ' +
  'and revoked API keys: one on PostgreSQL is recovered to a point in time before them, from a base backup and an ' +
  'archive of the log, one on SQLite is the copy of a file. The service does not start on it. After `vidimus restored` ' +
  'no index is given twice, nothing that was revoked is valid, and the named API keys are revoked.'

/** A database that is taken back to an earlier point. */
interface Recoverable {
  url: string
  /** Everything until now is kept. */
  note(): Promise<void>
  /** @returns the URL of the database as it was then */
  recover(): Promise<string>
  end(): Promise<void>
}

async function onPostgres(): Promise<Recoverable> {
  const { server, recovery } = await PostgresServer.startWithArchive()
  const url = await server.createDatabase()
  const backup = await server.baseBackup()
  let target = ''
  let recovered: PostgresServer | undefined
  return {
    url,
    note: async () => {
      target = await server.recoveryTarget()
    },
    recover: async () => {
      await server.archiveLog()
      recovered = await PostgresServer.recovered(backup, recovery, target)
      return recovered.urlOf(new URL(url).pathname.slice(1))
    },
    end: async () => {
      await recovered?.remove()
      await server.remove()
    },
  }
}

async function onSqlite(): Promise<Recoverable> {
  const url = await emptyInstallation('SQLite')
  let copy = ''
  return {
    url,
    note: async () => {
      copy = await copyOfDatabase(url)
    },
    recover: () => Promise.resolve(copy),
    end: () => Promise.resolve(),
  }
}

/** What an issuer does, and remembers. */
class Issuer {
  /** ids of API keys that must not work any more, and the keys */
  readonly revoked: { id: string; apiKey: string }[] = []
  private readonly keys: { id: string; apiKey: string }[] = []

  constructor(private readonly disaster: Disaster) {}

  /** API keys that exist before, so that the restored database has them. */
  async makeKeys(service: ServiceHere, count: number): Promise<void> {
    for (let n = 0; n < count; n += 1)
      this.keys.push(await service.accounts.createApiKey({ account: 'issuer' }))
  }

  async change(service: ServiceHere, client: Client, count: number): Promise<void> {
    const { lists } = this.disaster.remembered
    for (let n = 0; n < count; n += 1) {
      const list = lists[n % lists.length] ?? assert.fail('there are lists')
      if (n % 20 === 19) await this.endKey(service, n % 40 === 19)
      else if (n % 4 === 3) await this.issue(client, list)
      else if (n % 4 === 2) await this.disaster.revokeNewest(client, list)
      else await this.disaster.allocateIn(service, 'issuer', list)
    }
  }

  private async issue(client: Client, { did, listType, statusListName }: List): Promise<void> {
    const { credentialStatus, status } = (await client.ok('POST', '/credential/issue', {
      json: {
        issuerDid: did,
        attributes: { name: 'Bob' },
        credentialStatus: { statusListName, statusListType: listType },
      },
    })) as { credentialStatus?: { statusListIndex: string }; status?: { status_list: { idx: number } } }
    const index = credentialStatus?.statusListIndex ?? status?.status_list.idx
    this.disaster.remembered.note({ listType }, Number(index ?? assert.fail('it has no index')))
  }

  private async endKey(service: ServiceHere, rotates: boolean): Promise<void> {
    const key = this.keys.pop()
    if (!key) return
    if (rotates) await service.accounts.rotateApiKey(key.id, { overlapSeconds: 0 })
    else await service.accounts.revokeApiKey(key.id)
    this.revoked.push(key)
  }
}

async function restore(place: Recoverable, { changes }: Size): Promise<Figures> {
  const disaster = await Disaster.of({ publishes: true })
  const issuer = new Issuer(disaster)
  try {
    const first = await disaster.start(place.url)
    const client = await first.clientOf('issuer')
    await disaster.createLists(client)
    await issuer.makeKeys(first, Math.ceil(changes / 20))
    await issuer.change(first, client, 20)
    await first.stop()
    await place.note()
    const second = await disaster.start(place.url)
    const again = await second.clientOf('second').then((one) => keyed(one, second))
    await issuer.change(second, again, changes)
    await second.publication.publishAll()
    await second.stop()
    const before = disaster.remembered.count
    const url = await place.recover()
    const { code, says } = await refusedStart(disaster.installation(url))
    assert.notEqual(code, 0)
    assert.match(says, /static publication .* is ahead of the database.*Run: vidimus restored/s)
    const report = await disaster.restored(
      url,
      '--yes',
      ...issuer.revoked.flatMap(({ id }) => ['--revoke-key', id]),
    )
    assert.equal(report.code, 0, report.complained)
    const third = await disaster.start(url)
    const last = await third.clientOf('third').then((one) => keyed(one, third))
    await disaster.expectRevoked(last)
    for (const { apiKey } of issuer.revoked)
      assert.equal((await last.as(apiKey).get('/did/list')).status, 401)
    await disaster.allocate(third, 'issuer', Math.ceil(changes / 3))
    await disaster.expectRevoked(last)
    await third.stop()
    return {
      'indices given': before,
      'given after it': disaster.remembered.count - before,
      revocations: disaster.remembered.revocations,
      'taken over': report.lists.reduce((sum, { takenOver }) => sum + (takenOver?.entries ?? 0), 0),
      'API keys revoked': issuer.revoked.length,
    }
  } finally {
    await disaster.end()
  }
}

/** A client of the issuer, by way of one of another account. */
async function keyed(client: Client, service: ServiceHere): Promise<Client> {
  const { apiKey } = await service.accounts.createApiKey({ account: 'issuer' })
  return client.as(apiKey)
}

async function run(size: Size): Promise<Figures> {
  const figures: Figures = { changes: size.changes }
  for (const [name, place] of [
    ['PostgreSQL', onPostgres],
    ['SQLite', onSqlite],
  ] as const) {
    const recoverable = await place()
    try {
      const own = await restore(recoverable, size)
      for (const [key, value] of Object.entries(own)) figures[`${name}, ${key}`] = value
    } finally {
      await recoverable.end()
    }
  }
  return figures
}

export const restored = trialOf('restored', RULE, { full: { changes: 1000 }, short: { changes: 40 } }, run)
