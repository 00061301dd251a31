import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { migrations as publicationMigrations } from '@vidimus/publication'
import { sql } from '@vidimus/database'
import { Client } from './support/client.js'
import { CheqdSetup } from './support/cheqd-setup.js'
import { Disaster } from './support/disaster.js'
import { Examination } from './support/doctor.js'
import { copyOfDatabase, emptyInstallation, PLACES } from './support/fresh-database.js'
import { openDatabase } from './support/open-database.js'
import { refusedStart } from './support/refused-start.js'
import { Service } from './support/service.js'
import type { ServiceHere } from './support/service-here.js'
import { didOf, listOf, revoke } from './support/static-publication-suite.js'

const clientOn = async (service: ServiceHere, account = 'issuer') => {
  const { apiKey } = await service.accounts.createApiKey({ account })
  // A client that is made for a new account tells the address.
  return (await service.clientOf(`beside ${account} ${randomUUID()}`)).as(apiKey)
}

const WEB_DID = {
  providerId: 'did:web',
  didDocument: { id: 'did:web:status.example.com:issuer:lost' },
  options: { keyType: 'Ed25519' },
}

/** What a restore changes. */
async function contentOf(url: string, publishes = true): Promise<unknown> {
  const installation = { dataDirectory: '.', databaseUrl: url }
  const database = await openDatabase(installation, publishes ? [publicationMigrations] : [])
  try {
    return await Promise.all([
      database.query(sql`SELECT * FROM status_list_order ORDER BY list_id`),
      database.query(sql`SELECT id, revoked_at FROM api_key ORDER BY id`),
      database.query(sql`SELECT count(*) AS n FROM audit_event`),
      database.query(sql`SELECT count(*) AS n FROM ledger_resource`),
      publishes && database.query(sql`SELECT * FROM publication_pass`),
      database.query(sql`SELECT * FROM database_restore`),
    ])
  } finally {
    await database.lifecycle.stop()
  }
}

describe('a database that was restored from a backup, with a static publication', () => {
  let disaster: Disaster
  let backup: string
  let leaked: { id: string; apiKey: string }
  let lostDids: string[]
  before(async () => {
    disaster = await Disaster.of({ publishes: true })
    const url = await emptyInstallation('SQLite')
    const first = await disaster.start(url)
    const client = await first.clientOf('issuer')
    await disaster.createLists(client)
    await disaster.allocate(first, 'issuer', 5)
    leaked = await first.accounts.createApiKey({ account: 'issuer' })
    await disaster.revokeSome(client, 5, 5)
    await first.stop()
    backup = await copyOfDatabase(url)
    const second = await disaster.start(url)
    const again = await clientOn(second)
    await disaster.allocate(second, 'issuer', 20)
    await disaster.revokeSome(again, 20, 2)
    await second.accounts.revokeApiKey(leaked.id)
    lostDids = [await didOf(again), await didOf(again, WEB_DID)].sort()
    await second.publication.publishAll()
    await second.stop()
  })
  after(() => disaster.end())

  it('is noticed at the start and by the doctor, which name the command', async () => {
    const { code, says } = await refusedStart(disaster.installation(backup))
    assert.notEqual(code, 0)
    assert.match(says, /static publication \(directory .*\) is ahead of the database.*vidimus restored/s)
    const examination = await Examination.of(disaster.installation(backup))
    assert.match(examination.of('publication'), /^fail: .*vidimus restored/)
  })

  it('is only looked at without --yes', async () => {
    const before = await contentOf(backup)
    const report = await disaster.restored(backup)
    assert.equal(report.code, 0, report.complained)
    assert.equal(report.done, false)
    assert.deepEqual(report.lists.map(({ listType, takenOver }) => [listType, takenOver?.entries]).sort(), [
      ['BitstringStatusList', 10],
      ['StatusList2021', 10],
      ['TokenStatusList', 10],
    ])
    assert.deepEqual(
      report.lists.flatMap(({ problems }) => problems),
      [],
    )
    assert.equal(report.ahead.length, 1)
    assert.deepEqual(report.lostDids, lostDids)
    assert.ok(report.unknown.length > 3)
    assert.deepEqual(await contentOf(backup), before)
    assert.equal((await refusedStart(disaster.installation(backup))).code !== 0, true)
  })

  it('is not touched if an API key is unknown', async () => {
    const report = await disaster.restored(backup, '--yes', '--revoke-key', leaked.id, '--revoke-key', 'nope')
    assert.equal(report.code, 1)
    assert.match(report.complained, /nope/)
    assert.equal((await disaster.restored(backup)).done, false)
  })

  it('serves after it, without giving an index twice or forgetting what was revoked', async () => {
    const report = await disaster.restored(backup, '--yes', '--revoke-key', leaked.id)
    assert.equal(report.code, 0, report.complained)
    assert.equal(report.done, true)
    const service = await disaster.start(backup)
    try {
      const client = await clientOn(service)
      await disaster.expectRevoked(client)
      await disaster.allocate(service, 'issuer', 40)
      const refused = await client.as(leaked.apiKey).get('/did/list')
      assert.equal(refused.status, 401)
      const [list] = disaster.remembered.lists
      assert.equal((await revoke(client, list ?? assert.fail(), 131_071)).publication, 'done')
      assert.equal(await service.publication.noticeRestore(), undefined)
      assert.deepEqual((await service.publication.verify()).differences, [])
      const events = await service.audit.list({ event: 'database-restored' })
      assert.ok(
        events.some(
          ({ account, detail }) => account === 'issuer' && detail?.includes('30 entries taken over'),
        ),
      )
    } finally {
      await service.stop()
    }
  })

  it('takes nothing over twice', async () => {
    const report = await disaster.restored(backup)
    assert.deepEqual(report.ahead, [])
    assert.deepEqual(
      report.lists.flatMap(({ takenOver }) => takenOver ?? []),
      [],
    )
  })
})

describe('`vidimus restored` that is killed', () => {
  /** How far the orders of the lists are, and which API keys are revoked. */
  const outcomeOf = async (url: string) => {
    const database = await openDatabase({ dataDirectory: '.', databaseUrl: url }, [publicationMigrations])
    try {
      const orders = await database.query(
        sql`SELECT list_id, position FROM status_list_order ORDER BY list_id`,
      )
      const revoked = await database.query(
        sql`SELECT id FROM api_key WHERE revoked_at IS NOT NULL ORDER BY id`,
      )
      const unfinished = await database.query(sql`SELECT id FROM database_restore WHERE ended_at IS NULL`)
      return { orders, revoked, unfinished: unfinished.length }
    } finally {
      await database.lifecycle.stop()
    }
  }

  it('is continued wherever it was, and nothing starts in between', async () => {
    const disaster = await Disaster.of({ publishes: true })
    try {
      const url = await emptyInstallation('SQLite')
      const first = await disaster.start(url)
      await disaster.createLists(await first.clientOf('issuer'))
      const keys = [1, 2].map(() => first.accounts.createApiKey({ account: 'issuer' }))
      const args = ['--yes', ...(await Promise.all(keys)).flatMap(({ id }) => ['--revoke-key', id])]
      await first.stop()
      const backup = await copyOfDatabase(url)
      const second = await disaster.start(url)
      await disaster.allocate(second, 'issuer', 10)
      await disaster.revokeSome(await clientOn(second), 10, 2)
      await second.publication.publishAll()
      await second.stop()
      const publishAgain = await disaster.keepPublished()
      const whole = await copyOfDatabase(backup)
      const { isKilled, writes } = await disaster.restoredUntil(whole, undefined, ...args)
      assert.equal(isKilled, false)
      const expected = await outcomeOf(whole)
      assert.deepEqual([expected.orders.length, expected.revoked.length, expected.unfinished], [3, 2, 0])
      let interrupted = 0
      for (const share of [0.1, 0.4, 0.7, 0.9]) {
        await publishAgain()
        const copy = await copyOfDatabase(backup)
        const at = Math.max(1, Math.floor(writes * share))
        assert.equal((await disaster.restoredUntil(copy, at, ...args)).isKilled, true, `${at} of ${writes}`)
        const { unfinished } = await outcomeOf(copy)
        interrupted += unfinished
        const { code, says } = await refusedStart(disaster.installation(copy))
        assert.notEqual(code, 0)
        assert.match(says, /vidimus restored/, `${at} of ${writes}`)
        const report = await disaster.restored(copy, ...args)
        assert.equal(report.code, 0, report.complained)
        assert.deepEqual(await outcomeOf(copy), expected, `${at} of ${writes}`)
        const service = await disaster.start(copy)
        await disaster.expectRevoked(await clientOn(service))
        await service.stop()
      }
      assert.ok(interrupted >= 3, `only ${interrupted} were killed in the middle`)
    } finally {
      await disaster.end()
    }
  })
})

for (const place of PLACES) {
  describe(`a database that a process serves (${place})`, () => {
    it('is not restored meanwhile, and goes on', async () => {
      const disaster = await Disaster.of({ publishes: false })
      const url = await emptyInstallation(place)
      const installation = disaster.installation(url)
      const service = await Service.start({
        ...installation,
        environment: { ...installation.environment, PORT: '0' },
      })
      try {
        for (const args of [[], ['--yes']]) {
          const { code, complained } = await disaster.restored(url, ...args)
          assert.equal(code, 1)
          assert.match(complained, /the service is running on this database: stop every process first/)
        }
        const { apiKey } = await service.apiKeyOf('issuer')
        await didOf(await Client.of(service.url, apiKey))
        await service.kill()
        assert.equal((await disaster.restored(url, '--yes')).code, 0)
      } finally {
        await service.stop()
        await disaster.end()
      }
    })
  })
}

describe('a database that was restored from a backup, on a cheqd network', () => {
  it('does not start before `vidimus restored`, and serves after it', async () => {
    const networks = await CheqdSetup.start()
    const disaster = await Disaster.of({ publishes: false, networks })
    try {
      const url = await emptyInstallation('SQLite')
      const first = await disaster.start(url)
      await disaster.createLists(await first.clientOf('issuer'))
      await disaster.allocate(first, 'issuer', 3)
      await first.stop()
      const backup = await copyOfDatabase(url)
      const second = await disaster.start(url)
      await disaster.allocate(second, 'issuer', 9)
      await disaster.revokeSome(await clientOn(second), 9, 2)
      await second.stop()
      const { code, says } = await refusedStart(disaster.installation(backup))
      assert.notEqual(code, 0)
      assert.match(says, /the network testnet is ahead of the database.*Run: vidimus restored/s)
      const examination = await Examination.of(disaster.installation(backup))
      assert.match(examination.of('outbox:testnet'), /^fail: .*vidimus restored/)
      const looked = await disaster.restored(backup)
      assert.equal(looked.ahead.length, 1)
      const report = await disaster.restored(backup, '--yes')
      assert.equal(report.code, 0, report.complained)
      const third = await disaster.start(backup)
      const client = await clientOn(third)
      await disaster.allocate(third, 'issuer', 20)
      await disaster.revokeSome(client, 20, 7)
      await disaster.expectRevoked(client)
      await third.stop()
      assert.deepEqual((await disaster.restored(backup)).ahead, [])
    } finally {
      await disaster.end()
      await networks.stop()
    }
  })
})

describe('a list that publishes at intervals, after a restore', () => {
  const listType = 'TokenStatusList'

  it('does not publish changes again that its lost version had published and undone', async () => {
    const disaster = await Disaster.of({ publishes: false })
    try {
      const url = await emptyInstallation('SQLite')
      const first = await disaster.start(url)
      const issuer = await first.clientOf('issuer')
      const fields = { publishEvery: 'PT24H', statusSize: 2 }
      const list = await listOf(issuer, await didOf(issuer), listType, fields)
      const { did, statusListName } = list
      const update = async (service: ServiceHere, statusAction: string, index: number, more = {}) =>
        (await clientOn(service)).ok('POST', '/credential-status/update/unencrypted', {
          query: { listType, statusAction },
          json: { did, statusListName, indices: [index], ...more },
        }) as Promise<{ published?: boolean }>
      assert.equal((await update(first, 'suspend', 3)).published, false)
      await first.stop()
      const backup = await copyOfDatabase(url)
      const second = await disaster.start(url)
      // A version of one's own is published at once, with all that waits.
      await update(second, 'reinstate', 3, { statusListVersion: 'reinstated' })
      await update(second, 'revoke', 4, { statusListVersion: 'revoked' })
      const file = await disaster.save(await clientOn(second), list, 'application/statuslist+jwt')
      await second.stop()
      const { code, complained } = await disaster.restored(backup, '--yes', '--list', file)
      assert.equal(code, 0, complained)
      const third = await disaster.start(backup)
      const statusOf = async (index: number, state: string) => {
        const { status } = (await (
          await clientOn(third)
        ).ok('POST', '/credential-status/check', {
          query: { listType, statusPurpose: 'revocation' },
          json: { did, statusListName, index, state },
        })) as { status: number }
        return status
      }
      for (const state of ['stored', 'published'])
        assert.deepEqual([await statusOf(3, state), await statusOf(4, state)], [0, 1], state)
      await third.stop()
    } finally {
      await disaster.end()
    }
  })
})

for (const place of PLACES) {
  describe(`a database that was restored from a backup, with copies of its lists (${place})`, () => {
    let disaster: Disaster
    let backup: string
    let lost: string
    let files: Record<'jwt' | 'cwt' | 'json', string>
    before(async () => {
      disaster = await Disaster.of({ publishes: false })
      const url = await emptyInstallation(place)
      const first = await disaster.start(url)
      await disaster.createLists(await first.clientOf('issuer'), {})
      await disaster.allocate(first, 'issuer', 2)
      await first.stop()
      backup = await copyOfDatabase(url)
      const second = await disaster.start(url)
      await disaster.allocate(second, 'issuer', 10)
      await disaster.revokeSome(await clientOn(second), 10, 2)
      await second.stop()
      lost = url
      files = await saved()
    })
    after(() => disaster.end())

    const saved = async () => {
      const service = await disaster.start(lost)
      try {
        const client = await clientOn(service)
        const [token, bitstring] = disaster.remembered.lists
        return {
          jwt: await disaster.save(client, token ?? assert.fail(), 'application/statuslist+jwt'),
          cwt: await disaster.save(client, token ?? assert.fail(), 'application/statuslist+cwt'),
          json: await disaster.save(client, bitstring ?? assert.fail(), 'application/vc'),
        }
      } finally {
        await service.stop()
      }
    }

    if (place === 'SQLite')
      it('takes over a JWT, a CWT and JSON, each verified under its publisher', async () => {
        const { jwt, cwt, json } = files
        for (const file of [jwt, cwt, json]) {
          const url = await copyOfDatabase(backup)
          const report = await disaster.restored(url, '--yes', '--list', file)
          assert.equal(report.code, 0, report.complained)
          assert.deepEqual(
            report.lists.flatMap(({ takenOver }) => takenOver ?? []),
            [{ source: file, entries: 5 }],
          )
          const service = await disaster.start(url)
          const listType = file === json ? 'BitstringStatusList' : 'TokenStatusList'
          await disaster.expectRevoked(await clientOn(service), [listType])
          await service.stop()
        }
      })

    it('changes nothing if a file is cut off, empty, garbage, of a third party or missing, and names each', async () => {
      const { jwt, json } = files
      const text = await readFile(jwt, 'utf8')
      const beside = async (name: string, content: string) => {
        const file = join(jwt, '..', name)
        await writeFile(file, content)
        return file
      }
      const credential = JSON.stringify(
        JSON.parse(await readFile(json, 'utf8'), (name, value: unknown) =>
          name === 'id' && typeof value === 'string'
            ? value.replace('data:application/vc+jwt,', 'data:,')
            : value,
        ),
      )
      const bad = [
        await beside('half.jwt', text.slice(0, text.length / 2)),
        await beside('empty.jwt', ''),
        await beside('garbage.jwt', 'garbage'),
        await beside('strange.json', credential),
        join(jwt, '..', 'missing.jwt'),
      ]
      const before = await contentOf(backup, false)
      for (const yes of [['--yes'], []]) {
        const args = [...yes, ...[jwt, ...bad].flatMap((file) => ['--list', file])]
        const { code, complained } = await disaster.restored(backup, ...args)
        assert.equal(code, 1)
        for (const file of bad) assert.ok(complained.includes(`${file}`), `${file}: ${complained}`)
        assert.ok(!complained.includes(`${jwt}:`), complained)
        assert.match(complained, /nothing was changed/)
      }
      assert.deepEqual(await contentOf(backup, false), before)
    })

    it('skips indices once, however often it is repeated, and anew after a start', async () => {
      const url = await copyOfDatabase(backup)
      const skips = async () => {
        const { code, complained, lists } = await disaster.restored(url, '--yes', '--list', files.jwt)
        assert.equal(code, 0, complained)
        return lists.map(({ skipped }) => (skipped ? skipped.to - skipped.from : 0))
      }
      assert.deepEqual(
        (await skips()).map((skipped) => skipped > 10_000),
        [true, true, true],
      )
      for (let again = 0; again < 2; again += 1) assert.deepEqual(await skips(), [0, 0, 0])
      const { environment, ...installation } = disaster.installation(url)
      const service = await Service.start({ ...installation, environment: { ...environment, PORT: '0' } })
      await service.stop()
      assert.deepEqual(
        (await skips()).map((skipped) => skipped > 10_000),
        [true, true, true],
      )
    })

    it('takes over nothing that does not verify', async () => {
      const { jwt } = files
      const [header = '', payload = '', signature = ''] = (await readFile(jwt, 'utf8')).split('.')
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { iat: number }
      const forged = join(jwt, '..', 'forged')
      const changed = Buffer.from(JSON.stringify({ ...claims, iat: claims.iat + 1000 })).toString('base64url')
      await writeFile(forged, [header, changed, signature].join('.'))
      const before = await contentOf(backup, false)
      const { code, complained } = await disaster.restored(backup, '--yes', '--list', forged)
      assert.equal(code, 1)
      assert.match(complained, /forged: .*does not verify/)
      assert.deepEqual(await contentOf(backup, false), before)
    })
  })
}
