import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createDid, freshName } from './behaviour/suite.js'
import { CheqdSetup } from './support/cheqd-setup.js'
import type { Client } from './support/client.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { ServiceHere } from './support/service-here.js'
import { until } from './support/until.js'

interface Job {
  id: string
  state: string
  applied: number
  refused: number
}

const configured = ({ environment, configure }: CheqdSetup) => ({ environment, configure })

const BITSTRING = { listType: 'BitstringStatusList' }

const SET_UPS = PLACES.flatMap((place) =>
  [false, true].map((onNetwork) => ({
    place,
    onNetwork,
    title: `${place}${onNetwork ? ', on a network' : ''}`,
  })),
)

for (const { place, onNetwork, title } of SET_UPS) {
  describe(`what was done before an interruption is not done again over others' changes (${title})`, () => {
    let networks: CheqdSetup | undefined
    let service: ServiceHere
    let client: Client
    let did: string
    before(async () => {
      networks = onNetwork ? await CheqdSetup.start() : undefined
      const url = await freshDatabase(place)
      service = await ServiceHere.start({ url, listen: true, ...(networks && configured(networks)) })
      client = await service.clientOf('issuer')
      did = await createDid(client)
    })
    after(async () => {
      await service.stop()
      await networks?.stop()
    })

    const create = async (further: object = {}) => {
      const statusListName = freshName('once')
      await client.ok('POST', '/credential-status/create/unencrypted', {
        query: { ...BITSTRING, statusPurpose: ['suspension', 'revocation'] },
        json: { did, statusListName, ...further },
      })
      return statusListName
    }
    const update = (statusListName: string, statusAction: string, headers: Record<string, string> = {}) =>
      client.post('/credential-status/update/unencrypted', {
        query: { ...BITSTRING, statusAction },
        json: { did, statusListName, indices: [5] },
        headers,
      })
    const isSuspended = async (statusListName: string) => {
      const { suspended } = (await client.ok('POST', '/credential-status/check', {
        query: { ...BITSTRING, statusPurpose: 'suspension' },
        json: { did, statusListName, index: 5, state: 'stored' },
      })) as { suspended: boolean }
      return suspended
    }
    const order = async (rows: string[]) => {
      const { status, body } = await client.post('/credential-status/jobs', {
        body: ['list,index,action', ...rows].join('\n'),
        headers: { 'content-type': 'text/csv' },
      })
      assert.equal(status, 202, JSON.stringify(body))
      return (body as Job).id
    }
    const ended = async (id: string) => {
      const read = async () => (await client.ok('GET', `/credential-status/jobs/${id}`)) as Job
      await until(async () => (await read()).state === 'done')
      return read()
    }
    /** Everything from then on fails, as if the process had died with the COMMIT of a version. */
    const diesWith = async (statement: RegExp, work: () => Promise<unknown>) => {
      service.database.interrupt({ at: statement, when: 'after', forGood: true })
      await work()
      await until(() => Promise.resolve(service.database.interrupted))
      service.database.restore()
    }

    const KINDS: Record<string, [further: object, effect: RegExp]> = {
      'a list': [{}, onNetwork ? /INSERT INTO "cheqd_message"/ : /INSERT INTO "ledger_resource"/],
      'a list that publishes at intervals': [{ publishEvery: 'PT1H' }, /INSERT INTO "status_list_change"/],
    }
    for (const [kind, [further, effect]] of Object.entries(KINDS)) {
      for (const [action, undoing] of [
        ['suspend', 'reinstate'],
        ['reinstate', 'suspend'],
      ] as const) {
        it(`by a job that would ${action} again, of ${kind}`, async () => {
          const name = await create(further)
          if (action === 'reinstate') await update(name, 'suspend')
          const address = `${did}?resourceName=${name}&resourceType=BitstringStatusListCredential`
          let job = ''
          await diesWith(
            effect,
            async () => (job = await order([`${address},5,${action}`, `${address},4,revoke`])),
          )
          await until(async () => (await isSuspended(name)) === (action === 'suspend'))
          const { status, body } = await update(name, undoing)
          assert.equal(status, 200, JSON.stringify(body))
          assert.deepEqual((body as { changed: number[] }).changed, [5])
          // It would try again by itself, but later.
          for (const act of ['pause', 'resume'])
            await client.ok('POST', `/credential-status/jobs/${job}/${act}`)
          const { applied, refused } = await ended(job)
          assert.deepEqual([applied, refused], [2, 0])
          assert.equal(await isSuspended(name), undoing === 'suspend')
        })
      }
    }

    for (const [kind, [further, effect]] of Object.entries(KINDS)) {
      it(`by a request that is repeated with its idempotency key, of ${kind}`, async () => {
        const name = await create(further)
        const headers = { 'idempotency-key': randomUUID() }
        await diesWith(effect, async () => {
          const { status } = await update(name, 'suspend', headers)
          assert.equal(status, 503)
        })
        await until(() => isSuspended(name))
        const other = await update(name, 'reinstate')
        assert.deepEqual((other.body as { changed: number[] }).changed, [5])
        const repeated = await update(name, 'suspend', headers)
        assert.equal(repeated.status, 200, JSON.stringify(repeated.body))
        const { updated, suspended, changed } = repeated.body as Record<string, unknown>
        assert.deepEqual([updated, suspended, changed], [true, true, [5]])
        assert.equal(await isSuspended(name), false)
        const again = await update(name, 'suspend', headers)
        assert.equal(again.headers.get('idempotency-replayed'), 'true')
        assert.deepEqual(again.body, repeated.body)
      })
    }

    it('by a request that changes a DID and is repeated with its idempotency key', async () => {
      const own = await createDid(client)
      const replace = (idFragment: string, headers: Record<string, string> = {}) =>
        client.post('/did/update', {
          json: {
            did: own,
            service: [{ idFragment, type: 'LinkedDomains', serviceEndpoint: ['https://example.com'] }],
          },
          headers,
        })
      const services = async () => {
        const { didDocument } = (await client.ok('GET', `/1.0/identifiers/${own}`)) as {
          didDocument: { service?: { id: string }[] }
        }
        return (didDocument.service ?? []).map(({ id }) => id)
      }
      const headers = { 'idempotency-key': randomUUID() }
      const effect = onNetwork ? /INSERT INTO "cheqd_message"/ : /INSERT INTO "ledger_did_version"/
      await diesWith(effect, () => replace('first', headers))
      await until(async () => (await services()).includes(`${own}#first`))
      assert.equal((await replace('other')).status, 200)
      const repeated = await replace('first', headers)
      assert.equal(repeated.status, 200, JSON.stringify(repeated.body))
      assert.deepEqual(await services(), [`${own}#other`])
    })

    if (!onNetwork)
      it('in the audit trail, whose rows are written later, when a COMMIT is not confirmed', async () => {
        const issued = async () => {
          const { entries } = (await client.ok('GET', '/account/audit', { query: { limit: '1000' } })) as {
            entries: { event: string }[]
          }
          return entries.filter(({ event }) => event === 'credential-issued').length
        }
        const json = { issuerDid: did, attributes: { name: 'Bob' } }
        service.database.interrupt({ at: /INSERT INTO audit_event/, when: 'after', forGood: false })
        await Promise.all(Array.from({ length: 10 }, () => client.ok('POST', '/credential/issue', { json })))
        assert.ok(service.database.interrupted)
        assert.equal(await issued(), 10)
      })

    if (onNetwork)
      it('by a job whose version the network never got, which goes on', async () => {
        const name = await create()
        const address = `${did}?resourceName=${name}&resourceType=BitstringStatusListCredential`
        let job = ''
        await diesWith(/INSERT INTO ledger_change/, async () => (job = await order([`${address},5,suspend`])))
        for (const act of ['pause', 'resume'])
          await client.ok('POST', `/credential-status/jobs/${job}/${act}`)
        const { applied, refused } = await ended(job)
        assert.deepEqual([applied, refused], [1, 0])
        assert.equal(await isSuspended(name), true)
      })
  })
}
