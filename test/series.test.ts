import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withAccountRows } from '../packages/cli/src/installation.js'
import type { Problem } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { bech32 } from '@scure/base'
import { createDid, freshName } from './behaviour/suite.js'
import type { Client } from './support/client.js'
import { decodedByOthers } from './support/decoded-by-others.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { newPrivateKey } from './support/isolation-table.js'
import { installationOf } from './support/service.js'
import { ServiceHere } from './support/service-here.js'
import { YearlySeries, type Entry } from './support/series-of-client.js'
import { publishing } from './support/static-publication-suite.js'
import { until } from './support/until.js'

const PUBLIC_URL = 'https://status.example.com'
const SECRET = 'a5'.repeat(32)

for (const place of PLACES) {
  describe(`series in the whole service (${place})`, () => {
    let folder: string
    let url: string
    let service: ServiceHere
    let client: Client
    let colleague: Client

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vidimus-series-'))
      url = await emptyInstallation(place)
      service = await ServiceHere.start({
        url,
        listen: true,
        environment: { VIDIMUS_PUBLIC_URL: PUBLIC_URL, VIDIMUS_PUBLISH_DIRECTORY: folder },
        configure: publishing('directory'),
      })
      client = await service.clientOf('issuer')
      colleague = await service.clientOf('colleague')
    })
    after(async () => {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const seriesOf = async (did?: string, by = client) =>
      new YearlySeries(by, did ?? (await createDid(by)), freshName('series'))
    /** The indices that are set in a list that is signed as a JWT, and who signed it. */
    const nameIn = ({ list }: Entry) => new URLSearchParams(list.split('?')[1]).get('resourceName') ?? ''
    const kidOf = (jwt: string) =>
      (JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid
    const publishedAt = async (path: string) => (await fetch(client.url + path)).text()

    it('publishes each member under an https address of its own, and as a file', async () => {
      const series = await seriesOf()
      await series.create({ address: 'https' })
      const [first, second] = [await series.issue(2100), await series.issue(2101)]
      assert.notEqual(first.list, second.list)
      await series.revoke(first)
      for (const { list } of [first, second]) {
        assert.ok(list.startsWith(`${PUBLIC_URL}/status-lists/`), list)
        const path = list.slice(PUBLIC_URL.length)
        const served = await publishedAt(path)
        await until(async () => (await readFile(join(folder, path), 'utf8').catch(() => '')) === served)
      }
      const check = async ({ list, index }: Entry) =>
        client.ok('POST', '/credential-status/check', {
          query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
          json: { statusListCredential: list, index },
        })
      assert.equal(((await check(first)) as { revoked: boolean }).revoked, true)
      assert.equal(((await check(second)) as { revoked: boolean }).revoked, false)
    })

    it('gives a new member of an encrypted series the payment conditions of the newest one', async () => {
      const series = await seriesOf()
      const condition = (feePaymentAmount: number) => ({
        feePaymentAddress: bech32.encode('cheqd', bech32.toWords(Buffer.alloc(20, feePaymentAmount))),
        feePaymentAmount,
        feePaymentWindow: 10,
      })
      await series.create({ paymentConditions: [condition(2)] }, 'encrypted')
      const amounts = async (statusListName: string) => {
        const query = { did: series.did, statusListName, listType: 'BitstringStatusList' }
        const { resource } = (await client.ok('GET', '/credential-status/search', { query })) as {
          resource: { metadata: { paymentConditions: { feePaymentAmount: string }[] } }
        }
        return resource.metadata.paymentConditions.map(
          ({ feePaymentAmount }) => Number.parseInt(feePaymentAmount) / 1e9,
        )
      }
      const first = await series.issue(2100)
      await until(async () => (await series.members()).some(({ state }) => state === 'ready'))
      const [newest] = await series.members()
      const name = newest?.statusListName ?? ''
      await client.ok('POST', '/credential-status/update/encrypted', {
        query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
        json: { did: series.did, statusListName: name, indices: [1], paymentConditions: [condition(3)] },
      })
      await series.issue(2101)
      await until(async () => (await series.members()).length === 3)
      const [third] = await series.members()
      assert.deepEqual(
        [await amounts(nameIn(first)), await amounts(name), await amounts(third?.statusListName ?? '')],
        [[2], [3], [3]],
      )
      const { statusListName } = await series.revoke(first)
      assert.equal(statusListName, nameIn(first))
    })

    it('stops at the quota for lists, with an event before that, and goes on once there is room', async () => {
      const owner = await service.clientOf('limited')
      await service.accounts.update('limited', { statusLists: 3 })
      const series = await seriesOf(undefined, owner)
      await series.create()
      const given = [await series.issue(2100), await series.issue(2101), await series.issue(2102)]
      await until(async () => (await series.blocked()).length > 0)
      const [blocked, ...more] = await series.blocked()
      assert.deepEqual([blocked?.code, more], ['quota_exceeded', []])
      assert.match(blocked?.reason ?? '', /quota\.statusLists/)
      const { status, body } = await series.tryIssue(2103)
      assert.equal(status, 400)
      const [{ path, message, used, limit } = assert.fail()] = (body as { details: Problem[] }).details
      assert.deepEqual([path, used, limit], ['credentialStatus.statusListName', 3, 3])
      assert.match(
        message,
        /^the series .* needs another member, which cannot be created: quota\.statusLists/,
      )
      // Members that are there work as ever, and nothing is left half-done.
      given.push(await series.issue(2100))
      assert.equal(new Set(given.map(({ list, index }) => `${list} ${index}`)).size, 4)
      await service.accounts.update('limited', { statusLists: 10 })
      assert.equal(nameIn(await series.issue(2103)), `${series.statusListName}.4`)
    })

    it('is signed by the new key after a rotation, members that come later as well', async () => {
      const series = await seriesOf()
      await series.create()
      await series.issue(2100)
      await until(async () => (await series.members()).length === 2)
      const before = await signers(series)
      await client.ok('POST', '/did/rotate-key', { json: { did: series.did } })
      await until(async () => {
        const rotation = await client.ok('GET', `/did/rotations/${series.did}`)
        return (rotation as { state: string }).state === 'waiting'
      })
      await series.issue(2101)
      await series.issue(2102)
      await until(async () => (await series.members()).length === 4)
      const after = new Set(await signers(series))
      assert.equal(after.size, 1)
      assert.ok(!before.some((kid) => after.has(kid)), `${before.join()} ${[...after].join()}`)
    })

    it('outlives an account that shares its DID, and goes with the last one that holds it', async () => {
      const privateKeyHex = newPrivateKey()
      const leaving = await service.clientOf('leaving')
      const { kid } = (await leaving.ok('POST', '/key/import', { json: { privateKeyHex } })) as {
        kid: string
      }
      const shared = await seriesOf(await createDid(leaving, { key: kid }), leaving)
      await shared.create()
      const alone = await seriesOf(undefined, leaving)
      await alone.create()
      await colleague.ok('POST', '/did/import', {
        json: { did: shared.did, keys: [{ type: 'Ed25519', privateKeyHex }] },
      })
      const first = await shared.issue(2100)
      const member = await alone.issue(2100)
      assert.equal(nameIn(await shared.issue(2100, colleague)), nameIn(first))
      await until(async () => (await shared.members()).length === 2)
      await deleteAccount('leaving')
      const rows = async ({ did }: YearlySeries) =>
        (await service.database.query(sql`SELECT 1 AS one FROM "status_list_member" WHERE "did" = ${did}`))
          .length
      assert.deepEqual([await rows(alone), await rows(shared)], [0, 2])
      const others = [await shared.issue(2100, colleague), await shared.issue(2101, colleague)]
      assert.deepEqual(
        others.map(nameIn),
        [1, 2].map((n) => `${shared.statusListName}.${n}`),
      )
      assert.notEqual(others[0]?.index, first.index)
      // What it has published stays.
      assert.deepEqual(await decodedByOthers(client, alone.did, nameIn(member)), [])
    })

    const signers = async (series: YearlySeries) =>
      Promise.all(
        (await series.members()).map(async ({ statusListName }) =>
          kidOf(
            await publishedAt(
              `/1.0/identifiers/${series.did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`,
            ),
          ),
        ),
      )

    const deleteAccount = async (name: string) => {
      const files = await installationOf({
        dataDirectory: folder,
        environment: { DATABASE_URL: url, KMS_SECRET_KEY: SECRET, VIDIMUS_PUBLISH_DIRECTORY: folder },
        configure: publishing('directory'),
      })
      await withAccountRows(
        files.file,
        ({ accounts, rows }) => accounts.deletion(rows).run(name),
        files.environment,
      )
    }
  })
}
