import assert from 'node:assert/strict'
import { join } from 'node:path'
import { createDid, createList, freshName } from './behaviour/suite.js'
import type { Answer, Client } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import type { InterruptedEmbeddedLedger } from './support/interrupted-ledger.js'
import { putJobBack } from './support/jobs-put-back.js'
import { ServiceHere } from './support/service-here.js'
import { until } from './support/until.js'

const MODULE = join(import.meta.dirname, 'support/interrupted-ledger.ts')

interface List {
  did: string
  statusListName: string
}

for (const place of PLACES) {
  describe(`changes of lists that were acknowledged (${place})`, () => {
    let service: ServiceHere
    let other: ServiceHere
    let client: Client
    /** the same account, in another process */
    let there: Client

    before(async () => {
      const url = await emptyInstallation(place)
      const start = () =>
        ServiceHere.start({
          url,
          listen: true,
          configure: (text) =>
            text.replaceAll(
              "'@vidimus/ledger-local#EmbeddedLedger'",
              `'${MODULE}#InterruptedEmbeddedLedger'`,
            ),
        })
      service = await start()
      other = await start()
      client = await service.clientOf('issuer')
      there = await other.clientOf('issuer', false)
    })
    after(async () => {
      await service.stop()
      await other.stop()
    })

    const query = (statusAction: string) => ({ listType: 'BitstringStatusList', statusAction })
    const update = (by: Client, list: List, statusAction: string, more: object = {}) =>
      by.post('/credential-status/update/unencrypted', {
        query: query(statusAction),
        json: { ...list, indices: [5], ...more },
      })
    const newList = (by: Client, did: string | undefined) =>
      by.post('/credential-status/create/unencrypted', {
        query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
        json: { did, statusListName: freshName('list') },
      })
    const isSet = async (list: List, statusPurpose: string, state = 'stored') => {
      const flag = statusPurpose === 'suspension' ? 'suspended' : 'revoked'
      const found = (await client.ok('POST', '/credential-status/check', {
        query: { listType: 'BitstringStatusList', statusPurpose },
        json: { ...list, index: 5, state },
      })) as Record<string, boolean>
      return found[flag]
    }

    const sign = (list: List) =>
      client.ok('POST', '/credential-status/sign', {
        query: { listType: 'BitstringStatusList' },
        json: list,
      })

    const SIGNED: Record<string, (did: string, kid: string) => [event: string, path: string, json: object]> =
      {
        'a credential': (issuerDid) => [
          'credential-issued',
          '/credential/issue',
          { issuerDid, attributes: { a: 1 } },
        ],
        'a credential of the agent': (id) => [
          'credential-issued',
          '/agent/createVerifiableCredential',
          { credential: { issuer: { id }, credentialSubject: { a: 1 } }, proofFormat: 'jwt' },
        ],
        'a signature': (_, keyRef) => [
          'data-signed',
          '/agent/keyManagerSign',
          { keyRef, data: 'text', algorithm: 'EdDSA', encoding: 'utf-8' },
        ],
      }
    for (const [what, request] of Object.entries(SIGNED)) {
      it(`have a row in the audit trail, or ${what} is not handed out`, async () => {
        const did = await createDid(client)
        const { kid } = (await client.ok('POST', '/key/create', { query: { type: 'Ed25519' } })) as {
          kid: string
        }
        const [event, path, json] = request(did, kid)
        const rows = async () => {
          const told = await service.audit.list({ event, limit: 1000 })
          return told.filter(({ subject }) => subject === did || subject === kid).length
        }
        service.database.interrupt({ at: /INSERT INTO audit_event/, when: 'before', forGood: true })
        const { status, body } = await client.post(path, { json })
        service.database.restore()
        assert.deepEqual(
          [status, (body as { code?: string }).code],
          [503, 'unavailable'],
          JSON.stringify(body),
        )
        assert.equal(await rows(), 0)
        await client.ok('POST', path, { json })
        assert.equal(await rows(), 1)
      })
    }

    it('have a row in the audit trail if they are jobs, or are not made', async () => {
      const jobId = freshName('job')
      const path = '/credential-status/jobs'
      const period = { issuedFrom: '2020-01-01T00:00:00Z', issuedUntil: '2020-01-02T00:00:00Z' }
      const rows = async (event: string) => {
        const told = await service.audit.list({ event, limit: 1000 })
        return told.filter(({ subject }) => subject === jobId).length
      }
      const state = async () => ((await client.get(`${path}/${jobId}`)).body as { state?: string }).state
      const recorded = async (event: string, change: () => Promise<Answer>) => {
        const before = [await state(), await rows(event)]
        service.database.interrupt({ at: /INSERT INTO audit_event/, when: 'before', forGood: true })
        const { status, body } = await change()
        service.database.restore()
        assert.equal(status, 503, JSON.stringify(body))
        assert.deepEqual([await state(), await rows(event)], before, event)
        const answer = await change()
        assert.ok(answer.status < 300, JSON.stringify(answer.body))
        assert.deepEqual([await rows(event)], [1], event)
      }
      await recorded('status-job-created', () =>
        client.post(path, { json: { action: 'revoke', ...period }, query: { jobId } }),
      )
      await until(async () => (await state()) === 'done')
      await putJobBack(service.database, jobId, 'queued', '9999-01-01T00:00:00.000Z')
      await recorded('job-paused', () => client.post(`${path}/${jobId}/pause`))
      await recorded('job-resumed', () => client.post(`${path}/${jobId}/resume`))
      await putJobBack(service.database, jobId, 'paused')
      await recorded('job-cancelled', () => client.post(`${path}/${jobId}/cancel`))
    })

    it('hold if another process has looked for the list before it was created', async () => {
      const did = await createDid(client)
      const list = { did, statusListName: freshName('list') }
      const missing = await update(there, list, 'suspend')
      assert.equal((missing.body as { code: string }).code, 'list_not_found')
      await client.ok('POST', '/credential-status/create/unencrypted', {
        query: { listType: 'BitstringStatusList', statusPurpose: 'suspension' },
        json: { ...list, publishEvery: 'PT1H' },
      })
      assert.equal((await update(client, list, 'suspend')).status, 200)
      const reinstated = await update(there, list, 'reinstate')
      assert.deepEqual(
        [reinstated.status, (reinstated.body as { published: boolean }).published],
        [200, false],
      )
      await sign(list)
      assert.equal(await isSet(list, 'suspension', 'published'), false)
    })

    it('hold after a version whose changes could not be noted as published', async () => {
      const list = await createList(client, {
        statusPurpose: 'suspension',
        body: { publishEvery: 'PT1H' },
      })
      await update(client, list, 'suspend')
      service.database.interrupt({
        at: /UPDATE "status_list_pace" SET "published"/,
        when: 'before',
        forGood: false,
      })
      await sign(list)
      assert.ok(service.database.interrupted)
      assert.equal(await isSet(list, 'suspension', 'published'), true)
      await update(there, list, 'reinstate')
      await sign(list)
      assert.equal(await isSet(list, 'suspension', 'published'), false)
      assert.equal(await isSet(list, 'suspension'), false)
    })

    /** The next message finds other keys in the document than it was signed with. */
    const rotateBeforeNext = (did: string, times = 1, then?: () => Promise<unknown>) => {
      const { interlude } = service.ledger as InterruptedEmbeddedLedger
      interlude.plan('before', async () => {
        const { keys } = (await client.ok('POST', '/agent/didManagerGet', { json: { did } })) as {
          keys: { kid: string }[]
        }
        const key = (await client.ok('POST', '/key/create', { json: {} })) as object
        const options = { first: true }
        await client.ok('POST', '/agent/didManagerAddKey', { json: { did, key, options } })
        for (const { kid } of keys)
          await client.ok('POST', '/agent/didManagerRemoveKey', { json: { did, kid } })
        if (times > 1) rotateBeforeNext(did, times - 1)
        await then?.()
      })
    }
    const revocations = (body = {}) => createList(client, { body })

    it('are signed again if the key leaves the document before they are published', async () => {
      for (const body of [{}, { publishEvery: 'PT1H' }]) {
        const list = await revocations(body)
        rotateBeforeNext(list.did)
        const answer = await update(client, list, 'revoke', { receipt: true })
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        assert.ok((answer.body as { receipt?: string }).receipt)
        assert.equal(await isSet(list, 'revocation', 'published'), true)
      }
    })

    it('are signed again if the key of the list leaves the document, and that of the message stays', async () => {
      const list = await revocations()
      const { did } = list
      const key = (await client.ok('POST', '/key/create', { json: {} })) as { kid: string }
      const options = { first: true, relationships: ['assertionMethod'] }
      await client.ok('POST', '/agent/didManagerAddKey', { json: { did, key, options } })
      const { interlude } = service.ledger as InterruptedEmbeddedLedger
      interlude.plan('before', async () => {
        await client.ok('POST', '/agent/didManagerRemoveKey', { json: { did, kid: key.kid } })
      })
      assert.equal((await update(client, list, 'revoke')).status, 200)
      assert.equal(await isSet(list, 'revocation', 'published'), true)
    })

    it('belong to lists, resources and versions that are signed again as well', async () => {
      const did = await createDid(client)
      rotateBeforeNext(did)
      const list = await createList(client, { did })
      rotateBeforeNext(did)
      await sign(list)
      rotateBeforeNext(did)
      const resource = await client.post(`/resource/create/${did}`, {
        json: { data: 'aGFsbG8', encoding: 'base64url', name: 'text', type: 'text' },
      })
      assert.equal(resource.status, 201, JSON.stringify(resource.body))
      rotateBeforeNext(did)
      const { body } = await client.post('/credential-status/jobs', {
        body: `list,index,action\n${did}?resourceName=${list.statusListName}&resourceType=BitstringStatusListCredential,5,revoke\n`,
        headers: { 'content-type': 'text/csv' },
      })
      const { id } = body as { id: string }
      let job = { state: '', applied: 0, refused: 0 }
      await until(async () => {
        job = (await client.ok('GET', `/credential-status/jobs/${id}`)) as typeof job
        return job.state === 'done'
      })
      assert.deepEqual([job.applied, job.refused], [1, 0])
      assert.equal(await isSet(list, 'revocation', 'published'), true)
    })

    it('are a conflict that no idempotency key keeps if the keys change each time', async () => {
      const list = await revocations()
      rotateBeforeNext(list.did, 6)
      const headers = { 'idempotency-key': freshName('key') }
      const revoke = () =>
        client.post('/credential-status/update/unencrypted', {
          query: query('revoke'),
          json: { ...list, indices: [5] },
          headers,
        })
      const conflict = await revoke()
      assert.deepEqual([conflict.status, (conflict.body as { code: string }).code], [400, 'version_conflict'])
      await sign(list)
      assert.equal(await isSet(list, 'revocation'), false)
      assert.equal((await revoke()).status, 200)
      assert.equal(await isSet(list, 'revocation'), true)
    })

    it('are not refused once they are stored: they wait if their version cannot be made', async () => {
      const list = await revocations({ publishEvery: 'PT1H' })
      rotateBeforeNext(list.did, 6)
      const { status, body } = await update(client, list, 'revoke', { receipt: true })
      assert.deepEqual([status, (body as { published: boolean }).published], [200, false])
      const again = await update(client, list, 'revoke', { receipt: true })
      const { changed, receipt } = again.body as { changed: number[]; receipt?: string }
      assert.deepEqual([again.status, changed, typeof receipt], [200, [], 'string'])
      assert.equal(await isSet(list, 'revocation', 'published'), true)
    })

    it('are refused for good if the account holds no key in the document any more', async () => {
      const list = await revocations()
      const { did } = list
      rotateBeforeNext(did, 1, () => client.ok('POST', '/agent/didManagerDelete', { json: { did } }))
      const { status, body } = await update(client, list, 'revoke')
      assert.deepEqual([status, (body as { code: string }).code], [400, 'did_not_found'])
      const { resources } = (await client.ok('POST', '/agent/linkedResourceListNewest', {
        json: { did },
      })) as { resources: { metadata: { previousVersionId: string | null } }[] }
      assert.deepEqual(
        resources.map(({ metadata }) => metadata.previousVersionId),
        [null],
      )
    })

    it('are no more lists than the quota allows, but for those under way at that moment', async () => {
      const [limit, dids] = [6, 4]
      const owner = await service.clientOf('at its quota')
      const alsoThere = await other.clientOf('at its quota', false)
      await service.accounts.update('at its quota', { statusLists: limit })
      const own = await Promise.all(Array.from({ length: dids }, () => createDid(owner)))
      const tried = await Promise.all(
        Array.from({ length: 24 }, (_, n) => newList(n % 2 ? owner : alsoThere, own[n % dids])),
      )
      const made = tried.filter(({ status }) => status === 200).length
      // A file has one writer; on a server the lists of one DID wait for each other in each process, and all that is under way
      // may have been counted before.
      const processes = 2
      const most = place === 'SQLite' ? limit : limit + processes * dids - 1
      assert.ok(made >= limit && made <= most, String(made))
      const later = await newList(owner, own[0])
      for (const refused of [later, ...tried.filter(({ status }) => status !== 200)])
        assert.match(
          JSON.stringify(refused.body),
          /quota\.statusLists: the account may have at most roughly 6 status lists/,
        )
      const { statusLists } = (await owner.ok('GET', '/account/usage')) as {
        statusLists: { used: number }
      }
      assert.equal(statusLists.used, made)
    })
  })
}
