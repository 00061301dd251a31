import assert from 'node:assert/strict'
import type { Client } from './support/client.js'
import { createDid, freshName } from './behaviour/suite.js'
import { decodedByOthers } from './support/decoded-by-others.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'
import { until } from './support/until.js'

interface Job {
  id: string
  state: string
  applied: number
  refused: number
}

const BITSTRING = { listType: 'BitstringStatusList' }
const HOURLY = { publishEvery: 'PT1H' }

for (const place of PLACES) {
  describe(`mass changes of series and of lists that publish at intervals (${place})`, () => {
    let service: ServiceHere
    let client: Client
    let did: string

    before(async () => {
      service = await ServiceHere.start({ url: await emptyInstallation(place), listen: true })
      client = await service.clientOf('issuer')
      did = await createDid(client)
    })
    after(() => service.stop())

    const create = async (body: object, kind = 'unencrypted', statusPurpose = ['revocation']) => {
      const statusListName = freshName('mass')
      await client.ok('POST', `/credential-status/create/${kind}`, {
        query: { ...BITSTRING, statusPurpose },
        json: { did, statusListName, ...body },
      })
      return statusListName
    }
    const update = (statusListName: string, statusAction: string, indices: number[], kind = 'unencrypted') =>
      client.ok('POST', `/credential-status/update/${kind}`, {
        query: { ...BITSTRING, statusAction },
        json: { did, statusListName, indices },
      })
    const addressOf = (statusListName: string) =>
      `${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`
    const run = async (rows: string[], query: Record<string, string> = {}) => {
      const { status, body } = await client.post('/credential-status/jobs', {
        body: ['credentialId,list,index,action', ...rows].join('\n'),
        headers: { 'content-type': 'text/csv' },
        query,
      })
      assert.equal(status, 202, JSON.stringify(body))
      const path = `/credential-status/jobs/${(body as Job).id}`
      await until(async () => ((await client.ok('GET', path)) as Job).state === 'done')
      const { applied, refused } = (await client.ok('GET', path)) as Job
      const report = (await client.ok('GET', `${path}/report`)) as { refused: { line: number }[] }
      return { applied, refused, lines: report.refused.map(({ line }) => line) }
    }
    /** Entries that are set in the stored state. */
    const stored = async (statusListName: string, indices: number[]) => {
      const { results } = (await client.ok('POST', '/credential-status/check', {
        query: { ...BITSTRING, statusPurpose: 'revocation' },
        json: { did, statusListName, indices, state: 'stored' },
      })) as { results: { index: number; valid: boolean }[] }
      return results.filter(({ valid }) => !valid).map(({ index }) => index)
    }
    const publish = (statusListName: string) =>
      client.ok('POST', '/credential-status/sign', { query: BITSTRING, json: { did, statusListName } })
    const versions = async (statusListName: string) => {
      const { statusLists } = (await client.ok('GET', '/credential-status/list', { query: { did } })) as {
        statusLists: { statusListName: string; versions: number }[]
      }
      return statusLists.find((one) => one.statusListName === statusListName)?.versions
    }

    for (const kind of ['unencrypted', 'encrypted']) {
      it(`plans a dry run on what is stored but not published, of an ${kind} list`, async () => {
        const name = await create(HOURLY, kind, ['revocation', 'suspension'])
        const list = addressOf(name)
        await update(name, 'revoke', [1, 2], kind)
        // Only the published version would allow the first one.
        const rows = [`,${list},1,suspend`, `,${list},1,revoke`, `,${list},3,revoke`, `,${list},3,suspend`]
        const dry = await run(rows, { dryRun: 'true' })
        assert.deepEqual(dry, { applied: 2, refused: 2, lines: [2, 5] })
        assert.deepEqual(await stored(name, [1, 2, 3]), [1, 2])
        assert.deepEqual(await run(rows), dry)
        assert.deepEqual(await stored(name, [1, 2, 3]), [1, 2, 3])
        assert.equal(await versions(name), 1)
      })
    }

    it('stores the rows of a list that publishes at intervals, and publishes them as one version', async () => {
      const name = await create(HOURLY)
      const rows = [7, 94, 131_071].map((index) => `,${addressOf(name)},${index},revoke`)
      assert.equal((await run(rows)).applied, 3)
      assert.deepEqual(await decodedByOthers(client, did, name), [])
      await publish(name)
      assert.deepEqual(await decodedByOthers(client, did, name), [7, 94, 131_071])
      assert.equal(await versions(name), 2)
    })

    it('finds credentials in the members of a series, whether these publish at intervals or at once', async () => {
      for (const pace of [{}, HOURLY]) {
        const series = await create({ series: true, period: 'P1Y', ...pace })
        const issue = async (credentialId: string, validUntil: string) => {
          await client.ok('POST', '/credential/issue', {
            json: {
              issuerDid: did,
              attributes: { name: 'Bob' },
              credentialStatus: { statusListName: series },
              credentialId,
              validUntil,
            },
          })
          const { entries } = (await client.ok('GET', '/credential/entries', {
            query: { credentialId },
          })) as {
            entries: { list: string; index: number }[]
          }
          return entries[0] ?? assert.fail('it is registered')
        }
        const ids = [2100, 2101, 2102].map((year) => `urn:mass:${series}:${year}`)
        const entries: { list: string; index: number }[] = []
        for (const [n, id] of ids.entries()) entries.push(await issue(id, `${2100 + n}-06-01T00:00:00Z`))
        const names = entries.map(
          ({ list }) => new URLSearchParams(list.split('?')[1]).get('resourceName') ?? '',
        )
        assert.equal(new Set(names).size, 3)
        const [first = '', second = '', third = ''] = names
        const byIndex = entries[2]?.index ?? -1
        const rows = [
          `${ids[0]},,,revoke`,
          `${ids[1]},,,revoke`,
          `,${addressOf(third)},${byIndex},revoke`,
          // the series itself is no list
          `,${addressOf(series)},5,revoke`,
          `${ids[0]},,,reinstate`,
        ]
        const expected = { applied: 3, refused: 2, lines: [5, 6] }
        const { lines, ...dry } = await run(rows, { dryRun: 'true' })
        assert.deepEqual({ ...dry, lines: lines.toSorted((a, b) => a - b) }, expected)
        const { lines: refused, ...counts } = await run(rows)
        assert.deepEqual({ ...counts, lines: refused.toSorted((a, b) => a - b) }, expected)
        for (const [n, name] of [first, second, third].entries()) {
          const { index = -1 } = entries[n] ?? {}
          assert.deepEqual(await stored(name, [index]), [index])
          if ('publishEvery' in pace) {
            assert.deepEqual(await decodedByOthers(client, did, name), [])
            await publish(name)
          }
          assert.deepEqual(await decodedByOthers(client, did, name), [index])
        }
      }
    })
  })
}
