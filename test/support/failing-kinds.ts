import assert from 'node:assert/strict'
import type { CreatedWebhook, WorkKindName } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { createDid, createList } from '../behaviour/suite.js'
import type { Client } from './client.js'
import { LATER, type FailingWork } from './failing-work.js'
import { assertRefused } from './refused.js'
import { YearlySeries } from './series-of-client.js'
import { until } from './until.js'
import { HOOKS } from './webhook-trial.js'

/** How work of a kind fails because of what is outside. */
interface FailingKind {
  /**
   * Stops what is outside, and asks for something that needs it.
   *
   * @param account - used for nothing else
   * @returns called once the item is over: throws unless it had its effect
   */
  fail(work: FailingWork, client: Client, account: string): Promise<HadEffect>
  /** of the item */
  failure: RegExp
  /** its account has no door any more */
  byOperators?: true
}

type HadEffect = (subject: string) => Promise<void> | void

const NO_NODE = /no node of testnet is reachable/
const NO_BLOCK = /the transaction is not in a block yet/
const NOT_ASKED = /the ledger could not be asked for it/
const JOBS = '/credential-status/jobs'
const NOTE = { name: 'one', type: 'Note', data: 'a', encoding: 'utf-8' }
const CREATE_LIST = '/credential-status/create/unencrypted'

export const FAILING_KINDS: Readonly<Record<WorkKindName, FailingKind>> = {
  'account-deletion': {
    byOperators: true,
    failure: /1 keys that are to be erased elsewhere/,
    async fail(work, client, account) {
      await deleteKey(work, client)
      const remove = () => work.operator.call('DELETE', `/operator/accounts/${account}`)
      const asked = remove()
      return async () => {
        await asked
        assertRefused(await remove(), { status: 404, code: 'account_not_found' })
      }
    },
  },
  delivery: {
    failure: /503/,
    async fail(work, client) {
      const { receiver } = work
      const json = { url: receiver.url }
      const { id, secret } = (await client.ok('POST', HOOKS, { json })) as CreatedWebhook
      receiver.secret = secret
      work.receive(503)
      await createDid(client)
      return async () => {
        assert.ok(receiver.arrivals.length > 1)
        await client.ok('DELETE', `${HOOKS}/${id}`)
      }
    },
  },
  'did-creation': {
    failure: NOT_ASKED,
    async fail(work, client) {
      const answer = await work.held(() => client.post('/did/create', { json: { network: 'testnet' } }))
      await work.leaveNetwork()
      assertRefused(await answer(), { status: 503, code: 'ledger_unavailable' })
      return async (did) => void (await client.ok('GET', `/did/read/${did}`))
    },
  },
  event: {
    failure: /the database cannot be reached/,
    async fail(work, client) {
      const did = await createDid(client)
      const answer = await work.held(() => client.post(`/did/deactivate/${did}`))
      const at = /INTO account_event.*did\.deactivated/s
      work.service.database.interrupt({ at, when: 'before', forGood: false })
      // As if its process had died.
      const now = new Date().toISOString()
      await work.change(sql`holder = NULL, due_at = ${now} WHERE kind = ${'event'}`)
      return async () => {
        await answer()
        const query = { type: 'did.deactivated' }
        const { events } = (await client.ok('GET', '/account/events', { query })) as {
          events: { data: { confirmed?: boolean } }[]
        }
        const confirmed = events.map(({ data }) => data.confirmed)
        assert.deepEqual(confirmed, [false])
      }
    },
  },
  job: {
    failure: NO_BLOCK,
    async fail(work, client) {
      const { did, statusListName } = await createList(client)
      const list = `${did}?resourceName=${statusListName}&resourceType=BitstringStatusListCredential`
      const body = `list,index,action\n${list},7,revoke\n`
      const headers = { 'content-type': 'text/csv' }
      const answer = await work.held(() => client.post(JOBS, { body, headers }))
      await work.leaveNetwork()
      const { id } = (await answer()).body as { id: string }
      return async () => {
        const job = (await client.ok('GET', `${JOBS}/${id}`)) as { state: string; applied: number }
        assert.deepEqual([job.state, job.applied], ['done', 1])
      }
    },
  },
  'key-erasure': {
    failure: /the key service is sealed/,
    async fail(work, client) {
      const { size } = work.vault.keys
      await deleteKey(work, client)
      assert.equal(work.vault.keys.size, size + 1)
      return () => assert.equal(work.vault.keys.size, size)
    },
  },
  'ledger-change': {
    failure: NOT_ASKED,
    async fail(work, client) {
      const did = await createDid(client)
      const answer = await work.held(() => client.post(`/resource/create/${did}`, { json: NOTE }))
      await work.leaveNetwork()
      assertRefused(await answer(), { status: 503, code: 'ledger_unavailable' })
      return async () => {
        const query = { event: 'resource-created' }
        const { entries } = (await client.ok('GET', '/account/audit', { query })) as { entries: object[] }
        assert.equal(entries.length, 1)
      }
    },
  },
  publication: {
    failure: /503/,
    async fail({ bucket }, client) {
      bucket.failing = 1_000_000
      const did = await createDid(client)
      return () => assert.ok(bucket.objects.has(`1.0/identifiers/${did}`))
    },
  },
  renewal: {
    failure: NO_NODE,
    async fail(work, client) {
      const did = await createDid(client)
      const validUntil = new Date(Date.now() + 4500).toISOString()
      await client.ok('POST', CREATE_LIST, {
        query: { listType: 'TokenStatusList', statusPurpose: 'revocation' },
        json: { did, statusListName: 'short-lived', validUntil },
      })
      const hasNewVersion = await withoutNetwork(work, client, did)
      return async () => {
        await hasNewVersion()
        // It would be signed again every few seconds.
        await work.change(sql`due_at = ${LATER} WHERE kind = ${'renewal'}`)
      }
    },
  },
  rotation: {
    failure: NO_NODE,
    async fail(work, client) {
      const did = await createDid(client)
      const rotation = async () =>
        ((await client.ok('GET', `/did/rotations/${did}`)) as { state: string }).state
      await client.ok('POST', '/did/rotate-key', { json: { did } })
      await until(async () => (await rotation()) === 'waiting')
      await work.leaveNetwork()
      await client.ok('POST', '/did/rotate-key', { json: { did, gracePeriod: 'PT0S' } })
      return async () => assert.equal(await rotation(), 'done')
    },
  },
  series: {
    failure: NO_BLOCK,
    async fail(work, client) {
      const series = new YearlySeries(client, await createDid(client), 'yearly')
      await series.create()
      const { length } = await series.members()
      // A credential takes the first member, and the next one is prepared.
      await work.held(() => series.tryIssue(2101))
      await work.leaveNetwork()
      return async () => assert.equal((await series.members()).length, length + 1)
    },
  },
  slot: {
    failure: NO_NODE,
    async fail(work, client) {
      const list = await createList(client, { body: { publishEvery: 'PT1H' } })
      await client.ok('POST', '/credential-status/update/unencrypted', {
        query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
        json: { ...list, indices: [7] },
      })
      const hasNewVersion = await withoutNetwork(work, client, list.did)
      const now = new Date().toISOString()
      await work.change(sql`due_at = ${now}, since = ${now} WHERE kind = ${'slot'}`)
      return hasNewVersion
    },
  },
}

/** One that the key service does not erase yet. */
async function deleteKey({ vault }: FailingWork, client: Client): Promise<void> {
  const json = { kms: 'vault', type: 'Ed25519' }
  const { kid } = (await client.ok('POST', '/agent/keyManagerCreate', { json })) as { kid: string }
  vault.sealed = true
  await client.ok('POST', '/agent/keyManagerDelete', { json: { kid } })
}

/** @returns throws unless a list of the DID has a new version by then */
async function withoutNetwork(work: FailingWork, client: Client, did: string): Promise<() => Promise<void>> {
  const versions = () => client.ok('POST', '/agent/linkedResourceListNewest', { json: { did } })
  const before = await versions()
  await work.leaveNetwork()
  return async () => assert.notDeepEqual(await versions(), before)
}
