import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditedEvent, CreatedApiKey, OperatedAccount, ServiceHealth } from '@vidimus/core-types'
import { createDid, createList } from './behaviour/suite.js'
import { Client } from './support/client.js'
import { assertRefused } from './support/refused.js'
import { refusedStart } from './support/refused-start.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'

const ACCOUNTS = '/operator/accounts'

interface Created {
  account: OperatedAccount
  firstKey?: CreatedApiKey
}
interface Deletion {
  account: OperatedAccount
  deleted: boolean
  contents?: { name: string; rows: number; fate: string }[]
  lists?: { did: string; statusListName: string }[]
}

describe('operators', () => {
  let folder: string
  let service: Service
  let operator: Client
  let operatorKey: CreatedApiKey

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-operators-'))
    service = await Service.start({ dataDirectory: folder })
    operatorKey = await service.apiKeyOf('operations', { scopes: ['operator', 'api-keys', 'dids'] })
    operator = await Client.of(service.url, operatorKey.apiKey)
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const create = (json: object, query: { headers?: Record<string, string> } = {}) =>
    operator.ok('POST', ACCOUNTS, { json, ...query }) as Promise<Created>
  const tenant = async (name: string) => {
    const { firstKey } = await create({ name, firstKey: { name: 'first' } })
    return operator.as(firstKey?.apiKey ?? '')
  }
  const listed = async (query: Record<string, string> = {}) =>
    (await operator.ok('GET', ACCOUNTS, { query })) as {
      accounts: OperatedAccount[]
      total: number
      next?: string
    }
  const names = ({ accounts }: { accounts: OperatedAccount[] }) => accounts.map(({ name }) => name)
  const audited = async (who: Client, query: Record<string, string>) =>
    ((await who.ok('GET', '/account/audit', { query })) as { entries: AuditedEvent[] }).entries

  describe('create and list accounts', () => {
    it('with an API key that is shown once, and without', async () => {
      const { account, firstKey } = await create({
        name: 'acme',
        firstKey: { name: 'production', scopes: ['read', 'did-create'] },
      })
      assert.equal(account.name, 'acme')
      assert.deepEqual(firstKey?.scopes, ['read', 'did-create'])
      const acme = operator.as(firstKey?.apiKey ?? '')
      await acme.ok('POST', '/did/create', { json: { network: 'testnet' } })
      assertRefused(await acme.get(ACCOUNTS), { status: 403, code: 'forbidden', says: /operator/ })
      const { firstKey: none } = await create({ name: 'keyless' })
      assert.equal(none, undefined)
    })

    it('page by page, and by the beginning of their names', async () => {
      for (const n of [1, 2, 3]) await create({ name: `page ${n}` })
      const all = names(await listed())
      assert.deepEqual(all, [...all].sort())
      const found: string[] = []
      for (let after: string | undefined; ;) {
        const page = await listed({ limit: '2', name: 'page*', ...(after && { after }) })
        found.push(...names(page))
        if (page.next === undefined) break
        after = page.next
      }
      assert.deepEqual(found, ['page 1', 'page 2', 'page 3'])
      assert.deepEqual(names(await listed({ name: 'page 2' })), ['page 2'])
      assert.equal((await listed({ name: 'pag*' })).total, 3)
      assert.deepEqual(names(await listed({ name: '%*' })), [])
    })

    it('with quotas', async () => {
      const { firstKey } = await create({ name: 'small', quotas: { dids: 1 }, firstKey: {} })
      const small = operator.as(firstKey?.apiKey ?? '')
      const usage = (await small.ok('GET', '/account/usage')) as { dids: object }
      assert.deepEqual(usage.dids, { used: 0, limit: 1 })
      const refused = await operator.post(ACCOUNTS, { json: { name: 'wrong', quotas: { cats: 1 } } })
      assertRefused(refused, { status: 400, says: /cats/ })
    })

    it('and take no name twice', async () => {
      await create({ name: 'once' })
      const again = await operator.post(ACCOUNTS, { json: { name: 'once' } })
      assertRefused(again, { status: 400, code: 'invalid_input', says: /once.* already exists/ })
      assertRefused(await operator.post(ACCOUNTS, { json: { name: '?' } }), { status: 400, says: /name/ })
    })

    it('once, however often the request is repeated', async () => {
      const headers = { 'idempotency-key': 'create-repeated' }
      const first = await create({ name: 'repeated', firstKey: {} }, { headers })
      assert.deepEqual(await create({ name: 'repeated', firstKey: {} }, { headers }), first)
    })

    it('without making other operators, and within the networks of their own key', async () => {
      const firstKey = { scopes: ['operator'] }
      assertRefused(await operator.post(ACCOUNTS, { json: { name: 'high', firstKey } }), {
        status: 403,
        code: 'forbidden',
        says: /firstKey\.scopes/,
      })
      const unknown = { name: 'high', firstKey: { scopes: ['operator-account-list'] } }
      assertRefused(await operator.post(ACCOUNTS, { json: unknown }), {
        status: 400,
        says: /firstKey\.scopes\[0\]/,
      })
      const limited = await service.apiKeyOf('operations', { scopes: ['operator'], networks: ['testnet'] })
      const onTestnet = operator.as(limited.apiKey)
      const made = (await onTestnet.ok('POST', ACCOUNTS, {
        json: { name: 'tested', firstKey: {} },
      })) as Created
      assert.deepEqual(made.firstKey?.networks, ['testnet'])
      const wider = { name: 'wider', firstKey: { networks: ['mainnet'] } }
      assertRefused(await onTestnet.post(ACCOUNTS, { json: wider }), {
        status: 403,
        says: /firstKey\.networks/,
      })
      assert.deepEqual(names(await listed({ name: 'wider' })), [])
    })
  })

  describe('disable and enable an account', () => {
    it('at once, and lose nothing', async () => {
      const globex = await tenant('globex')
      const did = await createDid(globex)
      const list = await createList(globex, { did })
      const disabled = (await operator.ok('POST', `${ACCOUNTS}/globex/disable`)) as OperatedAccount
      assert.ok(disabled.disabledAt)
      assertRefused(await globex.get('/did/list'), { status: 401, code: 'unauthenticated' })
      assert.equal((await globex.get(`/1.0/identifiers/${did}`, { apiKey: null })).status, 200)
      const resource = `${did}?resourceName=${list.statusListName}&resourceType=BitstringStatusListCredential`
      const published = await fetch(`${service.url}/1.0/identifiers/${encodeURIComponent(resource)}`)
      assert.equal(published.status, 200)
      assert.deepEqual(await operator.ok('POST', `${ACCOUNTS}/globex/disable`), disabled)
      const { disabledAt } = (await operator.ok('POST', `${ACCOUNTS}/globex/enable`)) as OperatedAccount
      assert.equal(disabledAt, undefined)
      assert.deepEqual(((await globex.ok('GET', '/did/list')) as { dids: unknown }).dids, [did])
    })

    it('but neither one that there is not, nor their own', async () => {
      for (const [method, path] of [
        ['POST', '/disable'],
        ['POST', '/enable'],
        ['DELETE', ''],
      ] as const) {
        const answer = await operator.call(method, `${ACCOUNTS}/nobody${path}`)
        assertRefused(answer, { status: 404, code: 'account_not_found' })
      }
      const own = await operator.post(`${ACCOUNTS}/operations/disable`)
      assertRefused(own, { status: 400, says: /account of this caller/ })
      assertRefused(await operator.call('DELETE', `${ACCOUNTS}/operations`), {
        status: 400,
        says: /account of this caller/,
      })
    })
  })

  it('are named in their own audit trail, and not in that of the account', async () => {
    const watched = await tenant('watched')
    await operator.ok('POST', `${ACCOUNTS}/watched/disable`)
    await operator.ok('POST', `${ACCOUNTS}/watched/enable`)
    const events = ['account-enabled', 'account-disabled', 'api-key-created', 'account-created']
    const theirs = await audited(watched, {})
    assert.deepEqual(
      theirs.map(({ event }) => event),
      events,
    )
    for (const { apiKeyId, address, requestId, detail } of theirs) {
      assert.deepEqual([apiKeyId, address, requestId, detail], Array(4).fill(undefined))
    }
    const own = await audited(operator, { subject: 'watched' })
    assert.deepEqual(
      own.map(({ event, apiKeyId, detail }) => [event, apiKeyId, detail]),
      ['account-enabled', 'account-disabled', 'account-created'].map((event) => [
        event,
        operatorKey.id,
        'as an operator',
      ]),
    )
    for (const { address, requestId } of own) assert.ok(address && requestId)
  })

  describe('delete an account', () => {
    it('after a look at what would end', async () => {
      const ended = await tenant('ended')
      const did = await createDid(ended)
      const list = { did, statusListName: 'expiring' }
      await ended.ok('POST', '/credential-status/create/unencrypted', {
        query: { listType: 'TokenStatusList', statusPurpose: 'revocation' },
        json: { ...list, validUntil: '2999-01-01T00:00:00Z' },
      })
      const dryRun = { query: { dryRun: 'true' } }
      const look = (await operator.ok('DELETE', `${ACCOUNTS}/ended`, dryRun)) as Deletion
      assert.equal(look.deleted, false)
      const rows = Object.fromEntries((look.contents ?? []).map((one) => [one.name, one.rows]))
      assert.equal(rows['API keys'], 1)
      assert.equal(rows['DIDs, with their aliases and services'], 1)
      assert.deepEqual(
        look.lists?.map(({ statusListName }) => statusListName),
        ['expiring'],
      )
      await ended.ok('GET', '/did/list')
      const { deleted } = (await operator.ok('DELETE', `${ACCOUNTS}/ended`)) as Deletion
      assert.equal(deleted, true)
      assert.equal((await ended.get('/did/list')).status, 401)
      assert.equal((await operator.call('DELETE', `${ACCOUNTS}/ended`)).status, 404)
      assert.equal((await operator.get(`/1.0/identifiers/${did}`, { apiKey: null })).status, 200)
      const own = await audited(operator, { subject: 'ended', event: 'account-deletion-begun' })
      assert.equal(own.length, 1)
    })

    it('which a later start completes if it was interrupted', async () => {
      await create({ name: 'half gone' })
      await service.kill()
      await service.accounts((accounts) => accounts.states.beginDeletion('half gone'))
      service = await Service.start({ dataDirectory: folder })
      operator = await Client.of(service.url, operatorKey.apiKey)
      await until(async () => names(await listed({ name: 'half gone' })).length === 0)
    })

    it('which cannot be enabled meanwhile', async () => {
      await create({ name: 'ending' })
      await service.accounts((accounts) => accounts.states.beginDeletion('ending'))
      const answer = await operator.post(`${ACCOUNTS}/ending/enable`)
      assertRefused(answer, { status: 400, says: /being deleted/ })
      await operator.ok('DELETE', `${ACCOUNTS}/ending`)
    })
  })

  it('see how the service is', async () => {
    const health = (await operator.ok('GET', '/operator/health')) as ServiceHealth
    const found = new Map(health.findings.map(({ name, ...finding }) => [name, finding]))
    for (const name of [
      'runtime',
      'version',
      'migrations',
      'secret',
      'keys',
      'quotas',
      'database',
      'accounts',
    ]) {
      assert.equal(found.get(name)?.level, 'ok', `${name}: ${JSON.stringify(found.get(name))}`)
    }
    assert.equal(health.level, 'ok', JSON.stringify(health.findings))
    assert.equal(health.database.dialect, 'sqlite')
    assert.equal(health.database.pendingMigrations, 0)
    assert.ok((health.database.diskAvailableBytes ?? 0) > 0)
    assert.equal(health.publication, undefined)
    assert.equal(health.lists.waitingChanges, 0)
    assert.equal(health.versions.node, process.versions.node)
    assert.ok(health.versions.packages.some(({ name }) => name === '@vidimus/status-list'))
    assert.ok(!JSON.stringify(health).includes('vidimus_'))
    const again = (await operator.ok('GET', '/operator/health')) as ServiceHealth
    assert.equal(again.examinedAt, health.examinedAt)
  })

  it('are no agents: no method of theirs can be called from outside', async () => {
    const everything = await Client.of(service.url, (await service.apiKeyOf('everything')).apiKey)
    for (const who of [operator, everything]) {
      for (const method of ['operatorAccountList', 'operatorHealth', 'operatorDeletionsContinue']) {
        const { status } = await who.post(`/agent/${method}`, { json: {} })
        assert.equal(status, 404, method)
      }
    }
    const { says } = await refusedStart({
      configure: (text) =>
        text.replace('agentMethods: [default]', 'agentMethods: [default, operatorAccountList]'),
    })
    assert.match(says, /operatorAccountList.*acts for all accounts/s)
  })
})
