import assert from 'node:assert/strict'
import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bech32 } from '@scure/base'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { EFFECTS, type CreatedWebhook, type Effect, type Webhook } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { Party, pemOf, uri } from '../packages/certificates/src/__tests__/authority.js'
import { NAMED_RIGHTS, effectsOf } from '../packages/remote-server/src/admission/scope-table.js'
import { createDid, createList } from './behaviour/suite.js'
import type { Answer, Client, Request } from './support/client.js'
import {
  doorsToEffects,
  type CertifiedKey,
  type EffectDoor,
  type ListsOfDoors,
} from './support/effect-doors.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { outsideKey } from './support/outside-key.js'
import { putJobBack } from './support/jobs-put-back.js'
import { ServiceHere } from './support/service-here.js'
import { until } from './support/until.js'
import { HOOKS, local, Receiver } from './support/webhook-trial.js'

const UNREACHABLE = ['keyManagerImport']
const quick = (text: string) => local(text).replace('- keepDays: 30', '- pollMs: 50')
const root = Party.root('Root')

/** An encrypted list that nobody else reads for nothing. */
async function paidList(seller: Client): Promise<{ did: string; statusListName: string }> {
  const list = { did: await createDid(seller), statusListName: 'paid' }
  const feePaymentAddress = bech32.encode('cheqd', bech32.toWords(Buffer.alloc(20, 7)))
  const paymentConditions = [{ feePaymentAddress, feePaymentAmount: 1, feePaymentWindow: 10 }]
  await seller.ok('POST', '/credential-status/create/encrypted', {
    query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
    json: { ...list, paymentConditions },
  })
  return list
}

/** A key that was made elsewhere, with a certificate of this authority. */
async function certifiedKey(
  client: Client,
  authority: Party,
  { type, publicKeyHex, privateKeyHex, jwk } = outsideKey('Secp256r1'),
): Promise<CertifiedKey> {
  await client.ok('POST', '/key/import', { json: { type, privateKeyHex } })
  const spki = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
  const publicKey = spki.export({ type: 'spki', format: 'der' })
  const leaf = authority.certify('Issuer', { publicKey, names: [uri('https://issuer.example')] })
  await client.ok('POST', '/key/certificate', { json: { kid: publicKeyHex, certificateChain: pemOf(leaf) } })
  const didJwk = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
  return { type, publicKeyHex, privateKeyHex, jwk, didJwk }
}

for (const place of PLACES) {
  describe(`rights for effects (${place})`, () => {
    let service: ServiceHere
    let owner: Client
    let lists: ListsOfDoors
    let folder: string

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'vidimus-effects-'))
      writeFileSync(join(folder, 'root.pem'), pemOf(root.der))
      service = await ServiceHere.start({
        url: await emptyInstallation(place),
        listen: true,
        environment: { VIDIMUS_TRUST_ANCHORS: join(folder, 'root.pem') },
        configure: (text) => quick(text.replace('maxOpenJobs: 10', 'maxOpenJobs: 1000')),
      })
      owner = await service.clientOf('issuer')
      const did = await createDid(owner)
      const { statusListName: plain } = await createList(owner, { did })
      const encrypted = 'closed'
      await owner.ok('POST', '/credential-status/create/encrypted', {
        query: { listType: 'BitstringStatusList', statusPurpose: 'revocation' },
        json: { did, statusListName: encrypted, paymentConditions: [] },
      })
      const certified = await certifiedKey(owner, root)
      const other = await createDid(owner, { verificationMethodType: 'JsonWebKey2020' })
      const { didDocument } = (await owner.ok('GET', `/did/search/${other}`)) as { didDocument: never }
      const paid = await paidList(await service.clientOf('seller'))
      lists = { did, plain, encrypted, certified, other: { did: other, document: didDocument }, paid }
    })
    after(async () => {
      await service.stop()
      rmSync(folder, { recursive: true })
    })

    const keys = new Map<string, Promise<Client>>()
    const withScopes = (scopes: readonly string[]): Promise<Client> => {
      const name = scopes.join()
      const made = async () =>
        owner.as((await service.accounts.createApiKey({ account: 'issuer', scopes: [...scopes] })).apiKey)
      const client = keys.get(name) ?? made()
      keys.set(name, client)
      return client
    }
    const knock = (client: Client, { method, path, request }: EffectDoor) =>
      client.call(method ?? 'POST', path, request)
    const isShut = ({ status, body }: Answer) =>
      status === 403 && (body as { error: string }).error.includes('lacks a required scope')

    it('are the same at every door to an effect, for keys that have everything else and for each right', async () => {
      const doors = doorsToEffects(lists)
      const groups = [...new Set(Object.values(EFFECTS).flat())].filter((scope) => scope !== 'operator')
      for (const [effect, list = []] of Object.entries(doors) as [Effect, EffectDoor[]][]) {
        const rights: readonly string[] = EFFECTS[effect]
        // The ids of the doors to jobs open them, but allow no row.
        const ids = list.map(({ id }) => id).filter((id) => /job/i.test(id))
        const without = await withScopes([
          ...new Set([...groups.filter((scope) => !rights.includes(scope)), ...ids]),
        ])
        await Promise.all(
          list.map(async (door) => {
            const answer = await knock(without, door)
            const text = `${effect}: ${door.title}: ${answer.status} ${JSON.stringify(answer.body)}`
            assert.ok(isShut(answer), text)
            for (const scope of rights) assert.ok(text.includes(scope), text)
          }),
        )
        for (const scope of rights.filter((one) => !UNREACHABLE.includes(one))) {
          // What a door does otherwise as well is done once.
          const opened = list.filter(({ beside }) => !beside || scope === rights[0])
          await Promise.all(
            opened.map(async (door) => {
              const answer = await knock(await withScopes([scope, ...(door.beside ?? [])]), door)
              assert.ok(!isShut(answer), `${scope}: ${door.title}: ${JSON.stringify(answer.body)}`)
            }),
          )
        }
      }
    })

    it('are not gained by a document that names the key before the account has it', async () => {
      const planned = outsideKey('Secp256r1')
      const { did, document } = lists.other
      const method = {
        id: `${did}#planned`,
        type: 'JsonWebKey2020',
        controller: did,
        publicKeyJwk: planned.jwk,
      }
      const verificationMethod = [...document.verificationMethod, method]
      const didDocument = { ...document, verificationMethod, assertionMethod: [method.id] }
      const narrow = await withScopes(['dids'])
      const planted = await narrow.post('/did/update', { json: { didDocument } })
      assert.equal(planted.status, 200, JSON.stringify(planted.body))
      await certifiedKey(owner, root, planned)
      const issued = await owner.ok('POST', '/credential/issue', {
        json: { format: 'dc+sd-jwt', issuerDid: did, vct: 'urn:person', attributes: { name: 'Ada' } },
      })
      const [jwt = ''] = (issued as { proof: { jwt: string } }).proof.jwt.split('~')
      assert.deepEqual([decodeJwt(jwt).iss, decodeProtectedHeader(jwt).x5c], [did, undefined])
    })

    it('are tried at every door to an effect that has several', () => {
      const doors = doorsToEffects(lists)
      for (const effect of Object.keys(EFFECTS) as Effect[]) {
        const hasIds = EFFECTS[effect].some((scope) => NAMED_RIGHTS.includes(scope))
        if (!hasIds) continue
        const tried = new Set((doors[effect] ?? []).map(({ id }) => id))
        const ids = NAMED_RIGHTS.filter((id) => effectsOf(id).includes(effect))
        // Reading, pausing and resuming need the rights of the job at hand, and other work those of its kind.
        const own = ids.filter(
          (id) =>
            !/status-job-(list|read|report|pause|resume|cancel)|Job(List|Get|Report|Pause|Resume|Cancel)$|^work-/.test(
              id,
            ),
        )
        assert.deepEqual(
          own.filter((id) => !tried.has(id)),
          [],
          effect,
        )
      }
    })

    describe('of jobs', () => {
      const CSV = { 'content-type': 'text/csv' }
      const NDJSON = { 'content-type': 'application/x-ndjson' }
      const JOBS = '/credential-status/jobs'
      const rows = (list: string, indices: readonly number[]) =>
        ['list,index,action', ...indices.map((index) => `${address(list)},${index},revoke`)].join('\n')
      const address = (list: string) =>
        `${lists.did}?resourceName=${list}&resourceType=BitstringStatusListCredential`
      const freshList = async () => (await createList(owner, { did: lists.did })).statusListName
      /** Whatever has become of it: applied again, its rows change nothing. */
      const putBack = (...job: [id: string, state: 'paused' | 'queued', dueAt?: string]) =>
        putJobBack(service.database, ...job)
      const pausedJob = async (by: Client, jobId: string, request: Request) => {
        const { status, body } = await by.post(JOBS, { ...request, query: { jobId } })
        assert.equal(status, 202, JSON.stringify(body))
        await until(async () => (await jobOf(jobId)).state === 'done')
        await putBack(jobId, 'paused')
      }
      const continued = async (id: string) => {
        await putBack(id, 'queued', new Date(0).toISOString())
        await service.agent.execute('statusListJobsContinue', {})
        await until(async () => !['queued', 'running'].includes((await jobOf(id)).state))
        return jobOf(id)
      }
      const jobOf = async (id: string) =>
        (await owner.ok('GET', `${JOBS}/${id}`)) as { state: string; failure?: string; applied: number }
      const keyOf = (rights: { scopes?: string[]; networks?: ('testnet' | 'mainnet')[] }) =>
        service.accounts.createApiKey({ account: 'issuer', ...rights })
      const codeOf = ({ status, body }: Answer) => [status, (body as { code?: string }).code]
      const period = { issuedFrom: '2020-01-01T00:00:00Z', issuedUntil: '2020-01-02T00:00:00Z' }

      it('are needed again by whoever repeats, pauses, resumes or cancels one: nobody narrower can', async () => {
        const list = await freshList()
        const orders: [
          request: Request,
          narrower: { scopes?: string[]; networks?: ('testnet' | 'mainnet')[] }[],
        ][] = [
          [{ body: rows(list, [1]), headers: CSV }, [{ scopes: ['revocation'] }, { networks: ['mainnet'] }]],
          [
            { body: JSON.stringify({ list: address(list), index: 2, action: 'revoke' }), headers: NDJSON },
            [{ scopes: ['update-encrypted-status-list'] }],
          ],
          [{ body: rows(lists.encrypted, [1]), headers: CSV }, [{ scopes: ['status-lists', 'revocation'] }]],
          [
            { json: { action: 'revoke', ...period } },
            [{ scopes: ['status-lists', 'credential-suspend', 'credentials'] }, { networks: ['testnet'] }],
          ],
        ]
        for (const [n, [request, narrower]] of orders.entries()) {
          const id = `narrow-${n}`
          await pausedJob(owner, id, request)
          const before = await jobOf(id)
          for (const rights of narrower) {
            const other = owner.as((await keyOf(rights)).apiKey)
            const tried = [
              other.post(`${JOBS}/${id}/pause`),
              other.post(`${JOBS}/${id}/resume`),
              other.post(`${JOBS}/${id}/cancel`),
              other.post(JOBS, { ...request, query: { jobId: id } }),
            ]
            for (const answer of await Promise.all(tried))
              assert.deepEqual(codeOf(answer), [403, 'forbidden'], JSON.stringify([n, rights, answer.body]))
          }
          assert.deepEqual(await jobOf(id), before)
        }
      })

      it('may be narrower than those of whoever ordered it if they cover its rows; then it runs with those', async () => {
        const id = 'covered'
        await pausedJob(owner, id, { body: rows(await freshList(), [4]), headers: CSV })
        const narrow = await keyOf({ scopes: ['status-lists'], networks: ['testnet'] })
        await owner.as(narrow.apiKey).ok('POST', `${JOBS}/${id}/resume`)
        await until(async () => (await jobOf(id)).state === 'done')
        const [row] = await service.database.query<{ api_key_id: string; networks: string }>(
          sql`SELECT api_key_id, networks FROM status_list_job WHERE id = ${id}`,
        )
        assert.deepEqual({ ...row }, { api_key_id: narrow.id, networks: '["testnet"]' })
      })

      it('are those of now: a job waits visibly when its key is revoked, and whoever has its rights resumes it', async () => {
        const id = 'left-behind'
        const key = await keyOf({ scopes: ['status-lists'] })
        await pausedJob(owner.as(key.apiKey), id, { body: rows(await freshList(), [7]), headers: CSV })
        await service.accounts.revokeApiKey(key.id)
        const job = await continued(id)
        assert.equal(job.state, 'paused')
        assert.match(job.failure ?? '', /the rights of whoever ordered it have ended/)
        const narrow = owner.as((await keyOf({ scopes: ['revocation'] })).apiKey)
        assert.deepEqual(codeOf(await narrow.post(`${JOBS}/${id}/resume`)), [403, 'forbidden'])
        await owner.ok('POST', `${JOBS}/${id}/resume`)
        await until(async () => (await jobOf(id)).state === 'done')
        assert.deepEqual([(await jobOf(id)).applied, (await jobOf(id)).failure], [1, undefined])
      })

      it('pass to the successor of a rotated key', async () => {
        const id = 'rotated'
        const key = await keyOf({ scopes: ['status-lists'] })
        await pausedJob(owner.as(key.apiKey), id, { body: rows(await freshList(), [8]), headers: CSV })
        await service.accounts.rotateApiKey(key.id, { overlapSeconds: 0 })
        assert.equal((await continued(id)).state, 'done')
      })

      it('leave a row in the audit trail when one is paused or resumed', async () => {
        const id = 'audited'
        const key = await keyOf({ scopes: ['status-lists'] })
        await pausedJob(owner, id, { body: rows(await freshList(), [9]), headers: CSV })
        await putBack(id, 'queued', '9999-01-01T00:00:00.000Z')
        const by = owner.as(key.apiKey)
        for (const act of ['pause', 'pause', 'resume', 'resume']) await by.ok('POST', `${JOBS}/${id}/${act}`)
        const own = (await service.audit.list({ limit: 1000 })).filter(({ subject }) => subject === id)
        assert.deepEqual(
          own.map(({ event, apiKeyId }) => [event, apiKeyId === key.id]),
          [
            ['status-job-created', false],
            ['job-paused', true],
            ['job-resumed', true],
          ],
        )
      })

      it('are for one content: another one under its id is refused, never dropped', async () => {
        const list = await freshList()
        const query = { jobId: 'revoke-2026-11' }
        const file = rows(list, [10])
        const first = await owner.post(JOBS, { body: file, headers: CSV, query })
        assert.equal(first.status, 202)
        const others: Request[] = [
          { body: rows(list, [11]), headers: CSV, query },
          { body: `${file}\n`, headers: CSV, query },
          { body: file, headers: NDJSON, query },
          { body: file, headers: CSV, query: { ...query, dryRun: 'true' } },
          { json: { action: 'revoke', ...period }, query },
        ]
        for (const other of others)
          assert.deepEqual(codeOf(await owner.post(JOBS, other)), [400, 'job_exists'], JSON.stringify(other))
        assert.equal((await owner.post(JOBS, { body: file, headers: CSV, query })).status, 202)
        const byTime = { json: { action: 'revoke', ...period }, query: { jobId: 'by-time' } }
        assert.equal((await owner.post(JOBS, byTime)).status, 202)
        const changed = [
          { ...byTime, json: { ...byTime.json, action: 'suspend' } },
          { ...byTime, json: { ...byTime.json, reason: 'other' } },
          { ...byTime, body: file, headers: CSV, json: undefined },
        ]
        for (const other of changed)
          assert.deepEqual(codeOf(await owner.post(JOBS, other)), [400, 'job_exists'], JSON.stringify(other))
      })
    })

    describe('of webhooks', () => {
      let receiver: Receiver
      before(async () => (receiver = await new Receiver().start()))
      after(() => receiver.stop())

      const keyOf = (scopes: readonly string[]) =>
        service.accounts.createApiKey({ account: 'issuer', scopes: [...scopes] })
      const madeBy = async ({ apiKey }: { apiKey: string }) => {
        const json = { url: receiver.url, types: ['did.created'] }
        const webhook = (await owner.as(apiKey).ok('POST', HOOKS, { json })) as CreatedWebhook
        receiver.secret = webhook.secret
        return webhook
      }
      const listed = async (id: string) => {
        const { webhooks } = (await owner.ok('GET', HOOKS)) as { webhooks: Webhook[] }
        return webhooks.find((one) => one.id === id) ?? assert.fail('the webhook is not listed')
      }

      it('are those of now: a webhook waits visibly when its key is revoked, and the next key with the right resumes it', async () => {
        const key = await keyOf(['webhooks'])
        const { id, state } = await madeBy(key)
        assert.equal(state, 'active')
        const dids = [await createDid(owner)]
        await receiver.until(() => receiver.arrivals.length === 1)
        await service.accounts.revokeApiKey(key.id)
        assert.equal((await listed(id)).state, 'suspended')
        dids.push(await createDid(owner))
        const auditOf = async () =>
          (await service.audit.list({ limit: 1000 })).flatMap(({ subject, event, apiKeyId }) =>
            subject === id ? [[event, apiKeyId]] : [],
          )
        // The delivery has been refused by then.
        await until(async () => (await auditOf()).some(([event]) => event === 'webhook-suspended'))
        dids.push(await createDid(owner))
        await until(async () => (await listed(id)).waiting === 2)
        const narrow = await withScopes(['read', 'webhook-list', 'credentials', 'dids'])
        assert.ok(isShut(await narrow.post(`${HOOKS}/${id}/resume`)))
        const next = await keyOf(['webhooks'])
        const resumed = (await owner.as(next.apiKey).ok('POST', `${HOOKS}/${id}/resume`)) as Webhook
        assert.deepEqual([resumed.state, resumed.apiKeyId], ['active', next.id])
        await receiver.until(() => receiver.arrivals.length >= 3)
        assert.deepEqual(
          receiver.arrivals.map(({ event }) => event.subject),
          dids,
        )
        assert.deepEqual(await auditOf(), [
          ['webhook-created', key.id],
          ['webhook-suspended', undefined],
          ['webhook-resumed', next.id],
        ])
        const unchanged = (await owner.ok('POST', `${HOOKS}/${id}/resume`)) as Webhook
        assert.equal(unchanged.apiKeyId, next.id)
        await owner.ok('DELETE', `${HOOKS}/${id}`)
        assert.equal((await owner.post(`${HOOKS}/${id}/resume`)).status, 400)
        assert.equal((await listed(id)).state, undefined)
      })

      it('pass to the successor of a rotated key, and may be those of the operation alone', async () => {
        receiver.arrivals.length = 0
        const key = await keyOf(['webhook-create'])
        const { id } = await madeBy(key)
        await service.accounts.rotateApiKey(key.id, { overlapSeconds: 0 })
        const did = await createDid(owner)
        await receiver.until(() => receiver.has(did))
        assert.equal((await listed(id)).state, 'active')
      })
    })
  })
}
