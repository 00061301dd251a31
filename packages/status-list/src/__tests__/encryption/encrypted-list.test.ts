import assert from 'node:assert/strict'
import { gunzipSync, gzipSync } from 'node:zlib'
import {
  asDid,
  asListName,
  type AgentError,
  type PaymentCondition,
  type StatusListCreateArgs,
} from '@vidimus/core-types'
import { Installation, newAddress, newParty, type Party, type Process } from '../encrypted-set-up.js'
import { refused } from '../refused.js'

const CHEQ = 1_000_000_000n
const TYPES = ['StatusList2021', 'BitstringStatusList']
const WINDOW = 10
const minutes = (n: number) => n * 60_000

describe('encrypted status lists', () => {
  let installation: Installation
  let service: Process
  let did: string
  const publisher = newParty('publisher')
  const other = newParty('other')

  before(async () => {
    installation = await Installation.open()
    service = await installation.start()
    ;({ did } = await newDid(service, publisher))
  })
  after(() => installation.close())

  const newDid = (on: Process, party: Party) =>
    on.as(party, (agent) => agent.didManagerCreate({ options: { network: 'testnet' } }))
  let names = 0
  const twoCheq = (): PaymentCondition => ({
    feePaymentAddress: newAddress(),
    feePaymentAmount: `${2n * CHEQ}ncheq`,
    feePaymentWindow: WINDOW,
  })
  interface List {
    did: string
    statusListName: string
    listType: string
  }
  const newList = async (
    listType: string,
    paymentConditions: PaymentCondition[] = [],
    more: Partial<StatusListCreateArgs> = {},
    on = service,
  ): Promise<List> => {
    const list = { did, statusListName: `list-${++names}`, listType }
    const args = { ...list, statusPurpose: 'revocation', encrypted: true, paymentConditions, ...more }
    await on.as(publisher, (agent) => agent.statusListCreate(args))
    return list
  }
  const revoke = (list: List, indices: number[], on = service, more: object = {}) =>
    on.as(publisher, (agent) =>
      agent.statusListUpdate({ ...list, statusAction: 'revoke', indices, encrypted: true, ...more }),
    )
  const check = (party: Party, list: List, on = service, more: object = {}) =>
    on.as(party, (agent) =>
      agent.statusListCheck({ ...list, statusPurpose: 'revocation', index: 5, ...more }),
    )
  const payments = async (party: Party, on = service) =>
    (await on.as(party, (agent) => agent.statusListPayments())).payments
  const balance = async (address: string) => {
    const { amount } = await service.as(publisher, (agent) => agent.ledgerBalance({ did, address }))
    return BigInt(amount.replace('ncheq', ''))
  }
  const search = (party: Party, list: List) => service.as(party, (agent) => agent.statusListSearch(list))
  const encodedListOf = (resource: Record<string, unknown>): string => {
    const { StatusList2021: list, bitstringStatusListCredential: credential } = resource as Record<
      string,
      { encodedList: string; credentialSubject: { encodedList: string } } | undefined
    >
    return list?.encodedList ?? credential?.credentialSubject.encodedList.slice(1) ?? ''
  }

  for (const listType of TYPES) {
    describe(`of type ${listType}`, () => {
      it('are created, updated and checked by their publisher without payment', async () => {
        const condition = twoCheq()
        const list = { did, statusListName: `list-${++names}`, listType }
        const created = await service.as(publisher, (agent) =>
          agent.statusListCreate({
            ...list,
            statusPurpose: 'revocation',
            encrypted: true,
            paymentConditions: [condition],
          }),
        )
        assert.equal(created.created, true)
        assert.equal(created.encrypted, true)
        const { metadata } = created.resource as { metadata: Record<string, unknown> }
        assert.equal(metadata.encrypted, true)
        assert.equal(metadata.encryption, 'A256GCM')
        assert.deepEqual(metadata.paymentConditions, [
          { type: 'timelockPayment', ...condition, intervalInSeconds: WINDOW * 60 },
        ])
        assert.deepEqual((await revoke(list, [5, 7, 131071])).changed, [5, 7, 131071])
        assert.deepEqual((await revoke(list, [5])).changed, [])
        const { results } = await check(publisher, list, service, { indices: [4, 5, 6, 7, 131071], index: 5 })
        assert.deepEqual(
          results?.map(({ revoked }) => revoked),
          [false, true, false, true, true],
        )
        // a process that has nothing in its cache decrypts
        const later = await installation.start()
        assert.equal((await check(publisher, list, later)).revoked, true)
        assert.deepEqual(await payments(publisher), [])
        assert.equal(await balance(condition.feePaymentAddress), 0n)
      })

      it('reveal neither their bits nor how many are set', async () => {
        const list = await newList(listType)
        const before = encodedListOf((await search(other, list)).resource)
        await revoke(list, [5, 99, 1234])
        const after = encodedListOf((await search(other, list)).resource)
        assert.equal(after.length, before.length)
        assert.notEqual(after, before)
        for (const text of [before, after]) {
          assert.throws(() => gunzipSync(Buffer.from(text, 'base64url')))
          assert.throws(() => gunzipSync(Buffer.from(text, 'base64url').subarray(12)))
        }
        await refused(() => check(other, list), { code: 'list_encrypted', says: /only its publisher/ })
      })

      it('are never encrypted to the same bytes twice', async () => {
        const list = await newList(listType)
        const seen = new Set<string>()
        for (const n of [1, 2, 3, 4]) seen.add(encodedListOf((await revoke(list, [n])).resource).slice(0, 16))
        assert.equal(seen.size, 4)
      })

      it('are unlocked by one payment, however many callers ask', async () => {
        const condition = twoCheq()
        const list = await newList(listType, [condition])
        await revoke(list, [5])
        const reader = newParty('reader')
        const money = await balance(installation.payer)
        const unpaid = await refused(() => check(reader, list, service, { makeFeePayment: false }), {
          code: 'payment_required',
          path: 'paymentConditions[0]',
          says: new RegExp(`2 CHEQ to ${condition.feePaymentAddress}, at most 10 minutes ago`),
        })
        assert.equal(unpaid.details.length, 1)
        assert.equal(await balance(installation.payer), money)
        const elsewhere = await installation.start()
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, n) => check(reader, list, n % 2 ? elsewhere : service)),
        )
        assert.ok(answers.every(({ revoked }) => revoked === true))
        assert.equal(await balance(condition.feePaymentAddress), 2n * CHEQ)
        assert.equal(await balance(installation.payer), money - 2n * CHEQ)
        const [payment, ...others] = await payments(reader)
        assert.deepEqual(others, [])
        const { feePaymentAddress, feePaymentAmount } = condition
        const { did, statusListName } = list
        assert.deepEqual(payment, {
          ...payment,
          network: 'testnet',
          did,
          statusListName,
          feePaymentAddress,
          feePaymentAmount,
        })
        const [transfer] = await service.as(reader, (agent) =>
          agent.ledgerTransfers({ did, to: feePaymentAddress }),
        )
        assert.equal(transfer?.memo, payment?.id)
        assert.equal(transfer?.txHash, payment?.txHash)
        assert.equal((await check(reader, list, service, { makeFeePayment: false })).revoked, true)
        // the payment of one account does not help another
        await refused(() => check(other, list, service, { makeFeePayment: false }), {
          code: 'payment_required',
        })
        assert.deepEqual(await payments(newParty('nobody')), [])
      })

      it('lose no update among many concurrent ones in two processes', async () => {
        const list = await newList(listType)
        const elsewhere = await installation.start()
        await Promise.all(
          Array.from({ length: 40 }, (_, n) => revoke(list, [n * 3, n * 3 + 1], n % 2 ? elsewhere : service)),
        )
        const { results = [] } = await check(publisher, list, service, {
          indexRangeStart: 0,
          indexRangeEnd: 119,
        })
        assert.equal(results.length, 120)
        for (const { index, revoked } of results) assert.equal(revoked, index % 3 !== 2, String(index))
      })
    })
  }

  describe('payments', () => {
    it('count for the window of the condition', async () => {
      const condition = twoCheq()
      const list = await newList('StatusList2021', [condition])
      const reader = newParty('reader')
      await check(reader, list)
      installation.pass(minutes(WINDOW) - 1000)
      await check(reader, list)
      assert.equal(await balance(condition.feePaymentAddress), 2n * CHEQ)
      installation.pass(2000)
      await refused(() => check(reader, list, service, { makeFeePayment: false }), {
        code: 'payment_required',
      })
      await check(reader, list)
      assert.equal(await balance(condition.feePaymentAddress), 4n * CHEQ)
      assert.equal((await payments(reader)).length, 2)
    })

    it('are made once for each unmet condition', async () => {
      const [first, second] = [twoCheq(), { ...twoCheq(), feePaymentWindow: 5 }]
      const list = await newList('BitstringStatusList', [first, second])
      const reader = newParty('reader')
      await check(reader, list)
      installation.pass(minutes(6))
      const { details } = await refused(() => check(reader, list, service, { makeFeePayment: false }), {
        code: 'payment_required',
      })
      assert.deepEqual(
        details.map(({ path }) => path),
        ['paymentConditions[1]'],
      )
      await check(reader, list)
      assert.equal(await balance(first.feePaymentAddress), 2n * CHEQ)
      assert.equal(await balance(second.feePaymentAddress), 4n * CHEQ)
    })

    for (const makeFeePayment of [true, false]) {
      it(`are found on the ledger after a crash before they were recorded (makeFeePayment ${makeFeePayment})`, async () => {
        const condition = twoCheq()
        const list = await newList('StatusList2021', [condition])
        const reader = newParty('reader')
        const { feePaymentAddress, feePaymentAmount } = condition
        const location = {
          did: asDid(did),
          statusListName: asListName(list.statusListName),
          resourceType: 'StatusList2021Revocation',
        }
        const term = { windowMs: minutes(WINDOW), condition: 0, conditions: 1 }
        const claim = { list: location, network: 'testnet', feePaymentAddress, feePaymentAmount, ...term }
        const begun = await service.as(reader, () => service.store.payments.begin(claim, {}))
        assert.ok(!('refused' in begun))
        const { id } = begun
        const payment = { did, to: feePaymentAddress, amount: feePaymentAmount, memo: id }
        await service.as(reader, (agent) => agent.ledgerTransfer(payment))
        const restarted = await installation.start()
        const answers = await Promise.all(
          [1, 2, 3].map(() => check(reader, list, restarted, { makeFeePayment })),
        )
        assert.equal(answers.length, 3)
        assert.deepEqual(
          (await payments(reader)).map((paid) => paid.id),
          [id],
        )
        assert.equal(await balance(feePaymentAddress), 2n * CHEQ)
      })
    }

    it('require sufficient funds, and leave nothing half-done otherwise', async () => {
      const condition = { ...twoCheq(), feePaymentAmount: `${5000n * CHEQ}ncheq` }
      const plugin = { maxFeeCheq: 1_000_000, maxFeesPerDayCheq: 1_000_000 }
      const rich = await installation.start({ plugin })
      const list = await newList('StatusList2021', [condition])
      const reader = newParty('reader')
      for (let attempt = 0; attempt < 2; attempt++) {
        await refused(() => check(reader, list, rich), { code: 'insufficient_funds' })
      }
      assert.deepEqual(await payments(reader), [])
      const cheaper = { ...condition, feePaymentAmount: '1ncheq' }
      await revoke(list, [5], service, { paymentConditions: [cheaper] })
      assert.equal((await check(reader, list, rich)).revoked, true)
    })

    it('require a payer, and report a missing one each time', async () => {
      const list = await newList('StatusList2021', [twoCheq()])
      for (const poor of [
        await installation.start({ money: null }),
        await installation.start({ bankPlugin: false }),
      ]) {
        const reader = newParty('reader')
        for (let attempt = 0; attempt < 2; attempt++) {
          await refused(() => check(reader, list, poor), { code: 'ledger_unavailable', says: /payer/ })
        }
        await refused(() => check(reader, list, poor, { makeFeePayment: false }), {
          code: 'payment_required',
        })
        assert.equal((await check(publisher, list, poor)).revoked, false)
      }
    })

    it('stay within the limits of the installation', async () => {
      const careful = await installation.start({ plugin: { maxFeeCheq: 3 } })
      const list = await newList('StatusList2021', [twoCheq(), twoCheq()])
      const reader = newParty('reader')
      await refused(() => check(reader, list, careful), {
        code: 'payment_limit',
        says: /4 CHEQ are charged, but only 3 CHEQ of 3 CHEQ is left/,
      })
      assert.deepEqual(await payments(reader), [])
    })

    it('are made once per window, even if the publisher changes price, address and conditions', async () => {
      const condition = twoCheq()
      const list = await newList('StatusList2021', [condition])
      const reader = newParty('reader')
      await check(reader, list)
      const dearer = { ...condition, feePaymentAmount: `${2n * CHEQ + 1n}ncheq` }
      for (const paymentConditions of [
        [dearer],
        [{ ...twoCheq(), feePaymentWindow: 1 }],
        [dearer, twoCheq()],
      ]) {
        await revoke(list, [7], service, { paymentConditions })
        installation.pass(minutes(1) + 1)
        await check(reader, list)
        assert.equal((await payments(reader)).length, 1)
      }
      installation.pass(minutes(WINDOW))
      await check(reader, list)
      assert.equal((await payments(reader)).length, 3)
    })

    it('stay within the daily limit of an account across processes, which resets the next day', async () => {
      const options = { plugin: { maxFeesPerDayCheq: 5 } }
      const [one, two] = [await installation.start(options), await installation.start(options)]
      const reader = newParty('reader')
      const lists = []
      for (let n = 0; n < 4; n++) lists.push(await newList('StatusList2021', [twoCheq()]))
      const outcomes = await Promise.allSettled(
        lists.map((list, n) => check(reader, list, n % 2 ? one : two)),
      )
      const refusals = outcomes.flatMap((each) =>
        each.status === 'rejected' ? [each.reason as AgentError] : [],
      )
      assert.equal(refusals.length, 2)
      for (const { code, message, details } of refusals) {
        assert.equal(code, 'payment_limit')
        assert.match(
          message,
          /2 CHEQ are charged, but only 1 CHEQ of 5 CHEQ is left .* more is available at .*T00:00:00/,
        )
        assert.equal(details[0]?.path, 'maxFeesPerDayCheq')
      }
      const usage = () => one.as(reader, (agent) => agent.statusListFees())
      assert.deepEqual((await usage()).testnet, { used: 4, limit: 5 })
      installation.pass(minutes(24 * 60))
      assert.deepEqual((await usage()).testnet, { used: 0, limit: 5 })
      for (const list of lists.slice(0, 2)) await check(reader, list, one)
    })

    it('stay within the limit sent by the caller', async () => {
      const list = await newList('StatusList2021', [twoCheq()])
      const reader = newParty('reader')
      await refused(() => check(reader, list, service, { maxFee: 1.999999999 }), {
        code: 'payment_limit',
        says: /2 CHEQ are charged, but only 1.999999999 CHEQ/,
      })
      assert.deepEqual(await payments(reader), [])
      await check(reader, list, service, { maxFee: 2 })
      // a condition that is already paid costs nothing
      await check(reader, list, service, { maxFee: 0 })
    })

    it('are reported when most of the daily limit is spent', async () => {
      const told: unknown[] = []
      const nothing = () => undefined
      const announced = { happened: nothing, didNotHappen: nothing, mayHaveHappened: nothing }
      const events = { announce: (event: unknown) => (told.push(event), Promise.resolve(announced)) }
      const thrifty = await installation.start({ plugin: { maxFeesPerDayCheq: 5, events } })
      const reader = newParty('reader')
      for (let n = 0; n < 2; n++) await check(reader, await newList('StatusList2021', [twoCheq()]), thrifty)
      const until = new Date(Date.parse(installation.clock.now.toISOString().slice(0, 10)) + minutes(1440))
      const data = { budget: 'fees', used: 4, limit: 5, until: until.toISOString() }
      assert.deepEqual(told, [{ type: 'budget.nearly-spent', subject: 'testnet', data }])
    })

    it('are not made if nothing can be answered', async () => {
      const list = await newList('StatusList2021', [twoCheq()])
      const reader = newParty('reader')
      await refused(() => check(reader, list, service, { index: 131072 }), { code: 'index_out_of_range' })
      await refused(() => check(reader, list, service, { statusSize: 2 }), { code: 'invalid_input' })
      const expiring = await newList('StatusList2021', [twoCheq()], {
        validUntil: new Date(installation.clock.now.getTime() + minutes(1)).toISOString(),
      })
      installation.pass(minutes(2))
      await refused(() => check(reader, expiring), { code: 'invalid_credential' })
      assert.deepEqual(await payments(reader), [])
    })

    it('are not made by verification unless requested', async () => {
      for (const listType of TYPES) {
        const condition = twoCheq()
        const list = await newList(listType, [condition])
        await revoke(list, [5])
        const resourceType =
          listType === 'StatusList2021' ? 'StatusList2021Revocation' : 'BitstringStatusListCredential'
        const statusListCredential = `${did}?resourceName=${list.statusListName}&resourceType=${resourceType}`
        const credentialOf = (index: number) => {
          const id = `${statusListCredential}#${index}`
          const type = listType === 'StatusList2021' ? 'StatusList2021Entry' : 'BitstringStatusListEntry'
          const entry = { id, type, statusPurpose: 'revocation', statusListIndex: `${index}` }
          return {
            credentialStatus: { ...entry, ...(type !== 'StatusList2021Entry' && { statusListCredential }) },
          }
        }
        const reader = newParty('reader')
        const verify = (party: Party, index: number, more: object = {}) =>
          service.as(party, (agent) =>
            agent.checkCredentialStatus({ credential: credentialOf(index) as never, ...more }),
          )
        const closed = await verify(reader, 6)
        assert.equal(closed.verified, false)
        assert.equal(closed.errors?.[0]?.code, 'payment_required')
        assert.match(closed.message ?? '', /requires a payment: 2 CHEQ/)
        assert.deepEqual(await payments(reader), [])
        assert.equal((await verify(publisher, 6)).verified, true)
        assert.equal((await verify(reader, 6, { makeFeePayment: true })).verified, true)
        assert.equal((await verify(reader, 5)).revoked, true)
        assert.equal((await payments(reader)).length, 1)
      }
    })
  })

  describe('conditions', () => {
    it('can be changed by an update, with or without new bits', async () => {
      for (const listType of TYPES) {
        const list = await newList(listType)
        await revoke(list, [5])
        const paymentConditions = [twoCheq()]
        const changed = await revoke(list, [5], service, { paymentConditions })
        assert.deepEqual(changed.changed, [])
        const same = await revoke(list, [5], service, { paymentConditions })
        assert.equal(same.resourceMetadata.resourceId, changed.resourceMetadata.resourceId)
        assert.equal((await check(other, list)).revoked, true)
        await revoke(list, [6], service, { paymentConditions: [] })
        await refused(() => check(other, list), { code: 'list_encrypted' })
        assert.equal((await check(publisher, list, service, { index: 6 })).revoked, true)
      }
    })

    it('are never mixed up between concurrent calls', async () => {
      for (const listType of TYPES) {
        const list = await newList(listType)
        const wanted = [[twoCheq()], [twoCheq()], [], [twoCheq(), twoCheq()]]
        const answers = await Promise.all(
          wanted.map((paymentConditions, n) => revoke(list, [n], service, { paymentConditions })),
        )
        for (const [n, { resource }] of answers.entries()) {
          const { metadata } = resource as { metadata: { paymentConditions: PaymentCondition[] } }
          assert.deepEqual(
            metadata.paymentConditions.map(({ feePaymentAddress }) => feePaymentAddress),
            wanted[n]?.map(({ feePaymentAddress }) => feePaymentAddress),
          )
        }
      }
    })

    it('are refused with every problem', async () => {
      const wrong = [
        { feePaymentAddress: 'cheqd1nobody', feePaymentAmount: '2CHEQ', feePaymentWindow: 0 },
        { feePaymentAddress: newAddress(), feePaymentAmount: '0ncheq', feePaymentWindow: 1.5 },
        { feePaymentAddress: newAddress(), feePaymentAmount: `${2n ** 63n}ncheq`, feePaymentWindow: 1 },
      ]
      const { details } = await refused(() => newList('StatusList2021', wrong), { code: 'invalid_input' })
      assert.deepEqual(
        details.map(({ path }) => path),
        [
          'paymentConditions[0].feePaymentAddress',
          'paymentConditions[0].feePaymentAmount',
          'paymentConditions[0].feePaymentWindow',
          'paymentConditions[1].feePaymentAmount',
          'paymentConditions[1].feePaymentWindow',
          'paymentConditions[2].feePaymentAmount',
        ],
      )
      const condition = twoCheq()
      const longer = { ...condition, feePaymentWindow: 20 }
      await refused(() => newList('StatusList2021', [condition, longer]), {
        code: 'invalid_input',
        path: 'paymentConditions[1]',
      })
      await refused(() => newList('StatusList2021', [condition], { encrypted: false }), {
        code: 'invalid_input',
        path: 'paymentConditions',
      })
    })
  })

  describe('are distinguished', () => {
    for (const listType of TYPES) {
      it(`by updates, by name (${listType})`, async () => {
        const encrypted = await newList(listType)
        await refused(() => revoke(encrypted, [1], service, { encrypted: false }), {
          code: 'list_encrypted',
          says: new RegExp(encrypted.statusListName),
        })
        const plain = await newList(listType, undefined, {
          encrypted: false,
          paymentConditions: undefined,
        })
        await refused(() => revoke(plain, [1]), {
          code: 'list_not_encrypted',
          says: new RegExp(plain.statusListName),
        })
        await refused(() => revoke(plain, [1], service, { encrypted: false, paymentConditions: [] }), {
          code: 'invalid_input',
          path: 'paymentConditions',
        })
      })
    }

    const gzipped = gzipSync(Buffer.alloc(16384)).toString('base64url')
    const foreign: Record<string, [listType: string, resourceType: string, content: object]> = {
      'in the older layout of StatusList2021': [
        'StatusList2021',
        'StatusList2021Revocation',
        {
          StatusList2021: { statusPurpose: 'revocation', encodedList: `ab12-${'cd'.repeat(40)}` },
          metadata: {
            encrypted: true,
            encoding: 'hex',
            statusListHash: 'ab'.repeat(32),
            encryptedSymmetricKey: 'cd'.repeat(40),
            paymentConditions: [
              { feePaymentAddress: newAddress(), feePaymentAmount: '1ncheq', intervalInSeconds: 600 },
            ],
          },
        },
      ],
      'with another cipher': [
        'StatusList2021',
        'StatusList2021Revocation',
        {
          StatusList2021: { statusPurpose: 'revocation', encodedList: gzipped },
          metadata: { encrypted: true, encoding: 'base64url', encryption: 'XC20P' },
        },
      ],
      'with our cipher and a foreign key': [
        'StatusList2021',
        'StatusList2021Revocation',
        {
          StatusList2021: { statusPurpose: 'revocation', encodedList: gzipped },
          metadata: { encrypted: true, encoding: 'base64url', encryption: 'A256GCM' },
        },
      ],
      'in the older layout of BitstringStatusList': [
        'BitstringStatusList',
        'BitstringStatusListCredential',
        {
          bitstringStatusListCredential: {
            credentialSubject: { statusPurpose: 'revocation', encodedList: gzipped },
          },
          metadata: { encrypted: true, encoding: 'base64url', symmetricLength: 50, paymentConditions: [] },
        },
      ],
    }
    for (const [title, [listType, resourceType, content]] of Object.entries(foreign)) {
      it(`from those of other services: ${title}`, async () => {
        const list = { did, statusListName: `list-${++names}`, listType }
        const data = Buffer.from(JSON.stringify(content)).toString('base64url')
        const resource = { did, resourceName: list.statusListName, resourceType, data }
        await service.as(publisher, (agent) => agent.linkedResourceCreate(resource))
        const money = await balance(installation.payer)
        const refusal = {
          code: 'list_encrypted',
          says: /encrypted by another service, whose key is not held here/,
        }
        await refused(() => check(publisher, list), refusal)
        await refused(() => check(other, list), refusal)
        await refused(() => revoke(list, [1]), refusal)
        await refused(() => revoke(list, [1], service, { encrypted: false }), { code: 'list_encrypted' })
        assert.equal((await search(other, list)).found, true)
        assert.equal(await balance(installation.payer), money)
      })
    }

    it('from bits encrypted for another list, without paying', async () => {
      for (const listType of TYPES) {
        const [one, two] = [await newList(listType, [twoCheq()]), await newList(listType, [twoCheq()])]
        const { resourceMetadata } = await search(other, one)
        const { resourceName: _name, ...rest } = resourceMetadata
        const stored = await service.as(publisher, (agent) =>
          agent.linkedResourceGet({ did, resourceId: rest.resourceId }),
        )
        const copy = { resourceName: two.statusListName, resourceType: rest.resourceType }
        await service.as(publisher, async (agent) => {
          const holding = await agent.didHolding({ did, purpose: 'publish' })
          await agent.linkedResourcePublish({ holding, ...copy, data: stored?.data ?? '' })
        })
        const reader = newParty('reader')
        const code = listType === 'StatusList2021' ? 'malformed_list' : /malformed_list|invalid_credential/
        const error = await check(reader, two).catch((thrown: unknown) => thrown as { code: string })
        assert.match((error as { code: string }).code, new RegExp(code))
        assert.deepEqual(await payments(reader), [])
      }
    })
  })

  describe('require', () => {
    it('a store of keys', async () => {
      const without = await installation.start({ withStore: false })
      const list = await newList('StatusList2021', [twoCheq()])
      await refused(() => newList('StatusList2021', [], {}, without), {
        code: 'invalid_input',
        path: 'encrypted',
        says: /does not store keys/,
      })
      const refusal = { code: 'list_encrypted', says: /does not store keys/ }
      await refused(() => check(publisher, list, without), refusal)
      await refused(() => revoke(list, [1], without), refusal)
      await without.as(publisher, async (agent) => {
        assert.equal(agent.availableMethods().includes('statusListPayments'), false)
        assert.equal((await agent.statusListSearch(list)).found, true)
      })
    })

    it('an account scope', async () => {
      const list = await newList('StatusList2021', [twoCheq()])
      let agent: Parameters<Parameters<Process['as']>[1]>[0] | undefined
      await service.as(other, (its) => {
        agent = its
        return Promise.resolve()
      })
      const args = { ...list, statusPurpose: 'revocation', index: 1 }
      await refused(() => agent?.statusListCheck(args), { code: 'no_account_scope' })
    })

    it('one key, whoever creates them first, including a failed attempt', async () => {
      const elsewhere = await installation.start()
      const args = { did, listType: 'StatusList2021', statusPurpose: 'revocation', encrypted: true }
      for (const leftBehind of [true, false]) {
        const statusListName = `list-${++names}`
        const location = {
          did: asDid(did),
          statusListName: asListName(statusListName),
          resourceType: 'StatusList2021Revocation',
        }
        const key = leftBehind ? await service.store.keys.findOrCreate(location) : undefined
        const attempts = [service, elsewhere, service, elsewhere].map((on) =>
          on.as(publisher, (agent) => agent.statusListCreate({ ...args, statusListName })),
        )
        const outcomes = await Promise.allSettled(attempts)
        const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
        assert.deepEqual(
          failures.map((error) => (error as { code: string }).code),
          ['list_exists', 'list_exists', 'list_exists'],
        )
        if (key) assert.deepEqual(await service.store.keys.find(location), key)
        const list = { did, statusListName, listType: 'StatusList2021' }
        const later = await installation.start()
        assert.equal((await check(publisher, list, later)).revoked, false)
      }
    })
  })
})
