import assert from 'node:assert/strict'
import { createList } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { emptyInstallation, PLACES, type Place } from './support/fresh-database.js'
import { assertLinear, statesOf, versionsOf } from './support/list-history.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'
import { pace as trial } from './trials/pace.js'

interface Stored {
  changed: number[]
  published: boolean
  visibleFrom?: string
}

const ROUNDS = 2
const CLIENTS = 12

/** Two processes on one database. */
class Pair {
  private constructor(
    readonly first: Service,
    readonly second: Service,
  ) {}

  static async on(place: Place): Promise<Pair> {
    const environment = {
      DATABASE_URL: await emptyInstallation(place),
      KMS_SECRET_KEY: 'a5'.repeat(32),
      LOG_LEVEL: 'error',
    }
    const first = await Service.start({ environment })
    return new Pair(first, await Service.start({ environment }))
  }

  client = (service: Service) => Client.of(service.url, this.first.apiKey)

  async stop(): Promise<void> {
    await Promise.all([this.first.stop(), this.second.stop()])
  }
}

const revoke = async (client: Client, list: object, index: number): Promise<Stored | undefined> => {
  const answer = await client
    .post('/credential-status/update/unencrypted', {
      query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
      json: { ...list, indices: [index] },
    })
    .catch(() => undefined)
  return answer?.status === 200 ? (answer.body as Stored) : undefined
}

for (const place of PLACES) {
  describe(`lists with a pace, in two processes (${place})`, function () {
    let pair: Pair
    let client: Client
    before(async () => {
      pair = await Pair.on(place)
      client = await pair.client(pair.first)
    })
    after(() => pair.stop())

    it('publish one version for all changes of a beat, at the beat', async () => {
      const list = await createList(client, { body: { publishEvery: 'PT2S' } })
      const other = await pair.client(pair.second)
      const beats = new Set<string>()
      for (let round = 0; round < ROUNDS; round++) {
        const answers = await Promise.all(
          Array.from({ length: CLIENTS }, (_, n) =>
            revoke(n % 2 ? client : other, list, round * CLIENTS + n),
          ),
        )
        for (const answer of answers) {
          assert.equal(answer?.published, false)
          beats.add(answer.visibleFrom ?? '')
        }
        const last = Math.max(...[...beats].map((beat) => Date.parse(beat)))
        await until(() => Date.now() > last)
      }
      const all = Array.from({ length: ROUNDS * CLIENTS }, (_, n) => n)
      await until(async () => (await statesOf(client, list, 'revocation')).size === all.length)
      const versions = await versionsOf(client, list)
      assertLinear(versions)
      // What comes while a beat is being published may still be part of it, before it was promised.
      assert.ok(versions.length > 1 && versions.length <= 1 + beats.size, `${versions.length} versions`)
    })

    it('publish a version at each beat even without changes, if always', async () => {
      const list = await createList(client, { body: { publishEvery: 'PT1S', always: true } })
      const begun = Date.now()
      await until(async () => (await versionsOf(client, list)).length > ROUNDS)
      const versions = await versionsOf(client, list)
      const beats = Math.floor((Date.now() - begun) / 1000) + 1
      assertLinear(versions)
      assert.ok(versions.length - 1 <= beats, `${versions.length - 1} versions at ${beats} beats`)
    })

    // On PostgreSQL the last one is a trial.
    if (place === 'SQLite') {
      it('publish what waits before an account is deleted', async () => {
        const { first } = pair
        const acme = await Client.of(first.url, (await first.apiKeyOf('acme')).apiKey)
        const list = await createList(acme, { body: { publishEvery: 'P1D' } })
        const answer = await revoke(acme, list, 94_567)
        assert.equal(answer?.published, false)
        await first.command('account', 'delete', 'acme', '--yes')
        assert.equal((await versionsOf(client, list)).length, 2)
      })

      it('lose nothing that was acknowledged, through kill -9 before beats', async () => {
        await trial.run('short', { database: 'sqlite' })
      })
    }
  })
}

it('changes outlast every process, and are published by the next one', async () => {
  const environment = { DATABASE_URL: await emptyInstallation('SQLite'), KMS_SECRET_KEY: 'a5'.repeat(32) }
  const first = await Service.start({ environment })
  const client = await Client.of(first.url, first.apiKey)
  const list = await createList(client, { body: { publishEvery: 'PT4S' } })
  const answer = await revoke(client, list, 94_567)
  await first.kill()
  assert.equal(answer?.published, false)
  const next = await Service.start({ environment })
  const reader = await Client.of(next.url, first.apiKey)
  await until(async () => (await versionsOf(reader, list)).length > 1)
  assert.equal((await statesOf(reader, list, 'revocation')).get(94_567), 1)
  await next.stop()
})
