import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { asDid, asListName } from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'
import { loadSecrets, PrivateKeyEnvelope } from '@vidimus/kms-node'
import { StatusListStore } from '@vidimus/status-list-store'
import { bech32 } from '@scure/base'
import { assertRefused, refusedInBothEncodings, toForm } from '../support/refused.js'
import type { Answer, Client } from '../support/client.js'
import { openDatabase } from '../support/open-database.js'
import { createDid, createList, freshName, membersOf, unknownDid, listTypesOn, type Setup } from './suite.js'

const CREATE = '/credential-status/create/encrypted'
const UPDATE = '/credential-status/update/encrypted'
const CHECK = '/credential-status/check'
const PAYMENTS = '/credential-status/payments'
const RESOURCE_TYPES: Record<string, string> = {
  StatusList2021: 'StatusList2021Revocation',
  BitstringStatusList: 'BitstringStatusListCredential',
}

interface Published {
  resource: Record<string, unknown> & { metadata: Record<string, unknown> }
  resourceMetadata: { resourceId: string }
  encrypted?: boolean
  changed?: number[]
}
interface Payment {
  id: string
  did: string
  statusListName: string
  feePaymentAddress: string
  feePaymentAmount: string
}
interface List {
  did: string
  statusListName: string
}

const newAddress = () =>
  bech32.encode('cheqd', bech32.toWords(Buffer.from(randomUUID().replaceAll('-', '') + '00000000', 'hex')))
const newCondition = (feePaymentAmount: number | string = 2) => ({
  feePaymentAddress: newAddress(),
  feePaymentAmount,
  feePaymentWindow: 10,
})

/** Encrypted lists: readable by their publisher and by payers. */
export function encryptedListSuite(setup: Setup): void {
  for (const listType of listTypesOn(setup, ['StatusList2021', 'BitstringStatusList'])) {
    describe(`of type ${listType}`, () => behaviour(setup, listType))
  }
  describe('requests', () => requests(setup))
}

function behaviour(setup: Setup, listType: string): void {
  const { service, client, stranger } = setup
  const query = { listType, statusPurpose: 'revocation' }
  const create = async (conditions: object, encode: 'json' | 'form' = 'json') => {
    const list = { did: await createDid(client()), statusListName: freshName('list') }
    const body = { ...list, ...conditions }
    const request = encode === 'json' ? { json: body } : { form: toForm(body) }
    return { list, created: (await client().ok('POST', CREATE, { query, ...request })) as Published }
  }
  const revoke = (list: List, indices: number[], more: object = {}) =>
    client().ok('POST', UPDATE, {
      query: { listType, statusAction: 'revoke' },
      json: { ...list, indices, ...more },
    }) as Promise<Published>
  const check = (who: Client, list: List, more: object = {}) =>
    who.post(CHECK, { query, json: { ...list, index: 5, ...more } })
  const paymentsFor = async (who: Client, { did }: List) => {
    const { payments } = (await who.ok('GET', PAYMENTS)) as { payments: Payment[] }
    return payments.filter((payment) => payment.did === did)
  }
  const revoked = ({ status, body }: Answer) => {
    assert.equal(status, 200, JSON.stringify(body))
    return (body as { revoked: boolean }).revoked
  }

  it('are created, updated and checked by the publisher', async () => {
    const condition = newCondition()
    const { list, created } = await create({ paymentConditions: [condition] })
    assert.deepEqual(
      Object.keys(created).sort(),
      membersOf(setup, 'created', 'encrypted', 'resource', 'resourceMetadata', 'statusListId'),
    )
    assert.equal(created.encrypted, true)
    assert.equal(created.resource.metadata.encrypted, true)
    assert.deepEqual(created.resource.metadata.paymentConditions, [
      {
        type: 'timelockPayment',
        ...condition,
        feePaymentAmount: '2000000000ncheq',
        intervalInSeconds: 600,
      },
    ])
    assert.deepEqual((await revoke(list, [5, 6])).changed, [5, 6])
    assert.equal(revoked(await check(client(), list)), true)
    assert.equal(revoked(await check(client(), list, { index: 7 })), false)
    assert.deepEqual(await paymentsFor(client(), list), [])
  })

  it('accept one condition by its three fields, as in a form', async () => {
    const condition = newCondition('2.05')
    const { created } = await create(condition, 'form')
    const [published] = created.resource.metadata.paymentConditions as { feePaymentAmount: string }[]
    assert.equal(published?.feePaymentAmount, '2050000000ncheq')
    const indexed = { 'paymentConditions[0][feePaymentAddress]': newAddress() }
    const list = { did: await createDid(client()), statusListName: freshName('list') }
    await client().ok('POST', CREATE, {
      query,
      form: {
        ...list,
        ...indexed,
        'paymentConditions[0][feePaymentAmount]': '0.5',
        'paymentConditions[0][feePaymentWindow]': '3',
      },
    })
  })

  it('are unlocked by one payment, however many callers ask, and only for the payer', async () => {
    const condition = newCondition(3)
    const { list } = await create({ paymentConditions: [condition] })
    await revoke(list, [5])
    const unpaid = await check(stranger(), list, { makeFeePayment: false })
    assertRefused(unpaid, {
      code: 'payment_required',
      path: 'paymentConditions[0]',
      says: new RegExp(`3 CHEQ to ${condition.feePaymentAddress}`),
    })
    assertRefused(await check(stranger(), list, { maxFee: 2.5 }), {
      code: 'payment_limit',
      path: 'maxFee',
      says: /3 CHEQ are charged, but only 2.5 CHEQ of 2.5 CHEQ is left/,
    })
    await refusedInBothEncodings(
      stranger(),
      CHECK,
      { ...list, index: 131072 },
      { code: 'index_out_of_range' },
      { query },
    )
    assert.deepEqual(await paymentsFor(stranger(), list), [])
    // the balance of the payer is recorded by the first payment
    await check(stranger(), (await create({ paymentConditions: [newCondition()] })).list)
    const before = await balances(setup, condition.feePaymentAddress)
    const answers = await Promise.all(Array.from({ length: 20 }, () => check(stranger(), list)))
    assert.deepEqual(answers.map(revoked), Array<boolean>(20).fill(true))
    const after = await balances(setup, condition.feePaymentAddress)
    assert.equal(after.recipient, 3_000_000_000n)
    const paid = before.payer - after.payer
    // The gas of a payment on a network is less than another payment.
    assert.ok(paid >= 3_000_000_000n && paid < (setup.networks?.() ? 6_000_000_000n : 3_000_000_001n))
    const [payment, ...others] = await paymentsFor(stranger(), list)
    assert.deepEqual(others, [])
    const usage = (await stranger().ok('GET', '/account/usage')) as {
      dids: { used: number; limit: number }
      networks: Record<string, { feesToday: { used: number; limit: number } }>
    }
    assert.deepEqual(Object.keys(usage.dids), ['used', 'limit'])
    assert.ok(usage.networks.testnet!.feesToday.used >= 3)
    assert.equal(payment?.feePaymentAmount, '3000000000ncheq')
    assert.equal(payment.statusListName, list.statusListName)
    assert.equal(revoked(await check(stranger(), list, { makeFeePayment: false })), true)
    assert.deepEqual(await paymentsFor(client(), list), [])
  })

  it('without conditions are open only to their publisher', async () => {
    const { list } = await create({})
    assertRefused(await check(stranger(), list), { code: 'list_encrypted', says: /only its publisher/ })
    const conditions = { paymentConditions: [newCondition()] }
    await revoke(list, [5], conditions)
    assert.equal(revoked(await check(stranger(), list)), true)
  })

  it('reveal only what is published, and their key to nobody', async () => {
    const { list, created } = await create({ paymentConditions: [newCondition()] })
    const updated = await revoke(list, [5])
    const found = (await stranger().ok('GET', '/credential-status/search', {
      query: { ...list, listType },
    })) as Published
    assert.deepEqual(found.resource, updated.resource)
    const checked = await check(stranger(), list)
    const text = /"encodedList":"u?([\w-]+)"/.exec(JSON.stringify(found.resource))?.[1] ?? ''
    assert.ok(text.length > 1000)
    assert.throws(() => gunzipSync(Buffer.from(text, 'base64url')))
    const key = await keyOf(setup, {
      ...list,
      resourceType: RESOURCE_TYPES[listType] ?? '',
    })
    const shown = JSON.stringify([created, updated, found, checked.body]) + service().log
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      assert.equal(shown.includes(Buffer.from(key).toString(encoding)), false, encoding)
    }
  })

  it('are distinguished from unencrypted ones by name', async () => {
    const { list } = await create({})
    const plain = await createList(client(), { listType })
    const update = { query: { listType, statusAction: 'revoke' } }
    await refusedInBothEncodings(
      client(),
      '/credential-status/update/unencrypted',
      { ...list, indices: [1] },
      { code: 'list_encrypted', says: new RegExp(list.statusListName) },
      update,
    )
    await refusedInBothEncodings(
      client(),
      UPDATE,
      { ...plain, indices: [1] },
      { code: 'list_not_encrypted', says: new RegExp(plain.statusListName) },
      update,
    )
    await refusedInBothEncodings(client(), CREATE, { ...plain }, { code: 'list_exists' }, { query })
  })

  it('lose no concurrent update', async () => {
    const { list } = await create({})
    await Promise.all(Array.from({ length: 40 }, (_, n) => revoke(list, [n * 3, n * 3 + 1])))
    const { body } = await check(client(), list, { indexRangeStart: 0, indexRangeEnd: 119 })
    const { results } = body as { results: { index: number; revoked: boolean }[] }
    assert.equal(results.length, 120)
    for (const one of results) assert.equal(one.revoked, one.index % 3 !== 2, String(one.index))
  })

  it('belong to the holder of the DID', async () => {
    const { list } = await create({ paymentConditions: [newCondition()] })
    const update = { query: { listType, statusAction: 'revoke' }, json: { ...list, indices: [1] } }
    assertRefused(await stranger().post(UPDATE, update), { code: 'did_not_found', path: 'did' })
    const take = { query, json: { did: list.did, statusListName: freshName('list') } }
    assertRefused(await stranger().post(CREATE, take), { code: 'did_not_found', path: 'did' })
  })

  it('fail verification of a credential without payment, and cost nothing unless requested', async () => {
    const { list } = await create({ paymentConditions: [newCondition()] })
    const listUrl = `${list.did}?resourceName=${list.statusListName}&resourceType=${RESOURCE_TYPES[listType]}`
    const credentialStatus = {
      id: `${listUrl}#9`,
      type: listType === 'StatusList2021' ? 'StatusList2021Entry' : 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: '9',
      ...(listType === 'BitstringStatusList' && { statusListCredential: listUrl }),
    }
    const credential = (await client().ok('POST', '/credential/issue', {
      json: { issuerDid: list.did, subjectDid: list.did, attributes: { a: 1 }, credentialStatus },
    })) as { proof: { jwt: string } }
    const verify = (who: Client, more: object = {}) =>
      who.ok('POST', '/credential/verify', {
        json: { credential: credential.proof.jwt, ...more },
      }) as Promise<{
        verified: boolean
      }>
    assert.equal((await verify(client())).verified, true)
    const closed = await verify(stranger())
    assert.equal(closed.verified, false)
    assert.match(JSON.stringify(closed), /requires a payment: 2 CHEQ/)
    assert.deepEqual(await paymentsFor(stranger(), list), [])
    assert.equal((await verify(stranger(), { makeFeePayment: true })).verified, true)
    assert.equal((await paymentsFor(stranger(), list)).length, 1)
    await revoke(list, [9])
    assert.match(JSON.stringify(await verify(stranger())), /it is revoked/)
  })
}

function requests({ client }: Setup): void {
  const query = { listType: 'StatusList2021', statusPurpose: 'revocation' }
  const list = { did: unknownDid, statusListName: 'list' }

  it('are refused with all problems at once', async () => {
    const paymentConditions = [
      { feePaymentAddress: 'cheqd1nobody', feePaymentAmount: 2.005, feePaymentWindow: 1.5 },
      { feePaymentAmount: '0', feePaymentWindow: 10 },
    ]
    const body = { statusListName: 'list', paymentConditions, length: 'x' }
    const answer = await client().post(CREATE, { query, json: body })
    assertRefused(answer, { code: 'invalid_input' })
    const { details } = answer.body as { details: { path: string }[] }
    assert.deepEqual(details.map(({ path }) => path).sort(), [
      'did',
      'length',
      'paymentConditions[0].feePaymentAddress',
      'paymentConditions[0].feePaymentAmount',
      'paymentConditions[0].feePaymentWindow',
      'paymentConditions[1].feePaymentAddress',
      'paymentConditions[1].feePaymentAmount',
    ])
  })

  it('require all three fields of a condition, or a list of conditions', async () => {
    const { feePaymentAddress } = newCondition()
    const half = { ...list, feePaymentAddress }
    await refusedInBothEncodings(client(), CREATE, half, { path: 'feePaymentWindow' }, { query })
    await refusedInBothEncodings(client(), CREATE, half, { path: 'feePaymentAmount' }, { query })
    const both = { ...list, ...newCondition(), paymentConditions: [newCondition()] }
    await refusedInBothEncodings(client(), CREATE, both, { path: 'paymentConditions' }, { query })
    // beside other problems
    const { statusListName: _name, ...nameless } = half
    await refusedInBothEncodings(client(), CREATE, nameless, { path: 'feePaymentWindow' }, { query })
  })

  it('require no key, and say so', async () => {
    const symmetricKey = 'ab'.repeat(32)
    const refusal = { path: 'symmetricKey', says: /is not needed: the service keeps the key/ }
    await refusedInBothEncodings(client(), CREATE, { ...list, symmetricKey }, refusal, { query })
    await refusedInBothEncodings(client(), UPDATE, { ...list, indices: [1], symmetricKey }, refusal, {
      query: { listType: 'StatusList2021', statusAction: 'revoke' },
    })
  })

  it('refuse conditions for unencrypted lists', () =>
    refusedInBothEncodings(
      client(),
      '/credential-status/create/unencrypted',
      { ...list, paymentConditions: [newCondition()] },
      { path: 'paymentConditions' },
      { query },
    ))
}

async function withDatabase<T>(setup: Setup, work: (database: Database) => Promise<T>): Promise<T> {
  const more = setup.networks?.()?.migrations
  const database = await openDatabase(setup.service(), more ? [more] : [])
  try {
    return await work(database)
  } finally {
    await database.lifecycle.stop()
  }
}

/** The balances of the payer and a recipient on the testnet, in ncheq. */
async function balances(setup: Setup, recipient: string): Promise<{ payer: bigint; recipient: bigint }> {
  const networks = setup.networks?.()
  if (networks) {
    const of = (address: string) => networks.balanceOf('testnet', address)
    return { payer: await of(networks.payer), recipient: await of(recipient) }
  }
  return withDatabase(setup, async (database) => {
    const rows = await database.query<{ address: string; balance: string }>(
      sql`SELECT "address", "balance" FROM "ledger_account" WHERE "network" = ${'testnet'}`,
    )
    const of = (address: string) => BigInt(rows.find((row) => row.address === address)?.balance ?? 0)
    return { payer: of(EMBEDDED_PAYER), recipient: of(recipient) }
  })
}

/** as agent.yml names it */
const EMBEDDED_PAYER = 'cheqd1x6weed6d4nchwax2ajnhu0cqqr9kd5z399vxq2'

const keyOf = (setup: Setup, list: List & { resourceType: string }): Promise<Uint8Array> =>
  withDatabase(setup, async (database) => {
    const envelope = new PrivateKeyEnvelope({
      secrets: loadSecrets({ value: null, directory: setup.service().dataDirectory }),
    })
    const location = { ...list, did: asDid(list.did), statusListName: asListName(list.statusListName) }
    const key = await new StatusListStore({ database, envelope }).keys.find(location)
    assert.ok(key, 'the list has no key')
    return key
  })
