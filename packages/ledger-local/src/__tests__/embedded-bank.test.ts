import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bech32 } from '@scure/base'
import { Database, sql } from '@vidimus/database'
import { LedgerError, toAgentError, type LedgerBank, type Network } from '@vidimus/ledger'
import fc from 'fast-check'
import { EmbeddedLedger, migrations, type EmbeddedBankOptions } from '../index.js'
import { create, didDoc, newDid, newKey, signed } from './signing.js'

const address = (name: string) =>
  bech32.encode('cheqd', bech32.toWords(createHash('sha256').update(name).digest().subarray(0, 20)))
const PAYER = address('payer')
const PUBLISHER = address('publisher')
const CHEQ = 1_000_000_000n

describe('EmbeddedBank', () => {
  let folder: string
  let database: Database
  let now: Date
  const opened: Database[] = []

  const open = async (file = 'ledger.sqlite') => {
    const fresh = new Database({ url: `sqlite:${join(folder, file)}`, migrations: [migrations] })
    await fresh.lifecycle.start()
    opened.push(fresh)
    return fresh
  }
  const ledgerWith = (bank: EmbeddedBankOptions, on = database, network: Network = 'testnet') =>
    new EmbeddedLedger({ network, database: on, bank, now: () => now })
  const bankWith = (bank: EmbeddedBankOptions, on = database, network: Network = 'testnet'): LedgerBank => {
    const made = ledgerWith(bank, on, network).bank
    assert.ok(made)
    return made
  }
  const sdk = (code: number) => (error: unknown) =>
    error instanceof LedgerError && error.codespace === 'sdk' && error.code === code
  /** All balances, and everything ever given to anybody. */
  const totals = async () => {
    const rows = await database.query<{ balance: string; seeded: string | null }>(
      sql`SELECT "balance", "seeded" FROM "ledger_account" WHERE "network" = 'testnet'`,
    )
    const sum = (amounts: (string | null)[]) =>
      amounts.reduce((total, amount) => total + BigInt(amount ?? 0), 0n)
    for (const { balance } of rows) assert.ok(BigInt(balance) >= 0n)
    return [sum(rows.map(({ balance }) => balance)), sum(rows.map(({ seeded }) => seeded))] as const
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-bank-'))
    now = new Date('2026-05-01T10:00:00.000Z')
    database = await open()
  })
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.lifecycle.stop()
    await rm(folder, { recursive: true })
  })

  describe('options', () => {
    for (const [why, bank, path] of [
      ['a payer that is not an address', { payer: 'cheqd1abc' }, 'bank.payer'],
      [
        'a payer with a typo',
        { payer: PAYER.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')) },
        'bank.payer',
      ],
      ['a payer of another ledger', { payer: 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh' }, 'bank.payer'],
      ['a balance without an account', { balances: { me: 5 } }, 'bank.balances.me'],
      ['a negative balance', { balances: { [PAYER]: -1 } }, `bank.balances.${PAYER}`],
      ['a fraction of a CHEQ', { balances: { [PAYER]: 0.5 } }, `bank.balances.${PAYER}`],
      [
        'more than a ledger can count',
        { balances: { [PAYER]: `${2n ** 63n}ncheq` } },
        `bank.balances.${PAYER}`,
      ],
      ['an amount in another unit', { balances: { [PAYER]: '5cheq' } }, `bank.balances.${PAYER}`],
      ['a malformed amount', { balances: { [PAYER]: null } }, `bank.balances.${PAYER}`],
      ['an unknown member', { mint: true }, 'bank'],
    ] as const) {
      it(`refuses ${why}`, () => {
        assert.throws(
          () => ledgerWith(bank as never),
          (error: { code?: string; details?: { path: string }[] }) =>
            error.code === 'invalid_configuration' && error.details?.[0]?.path === path,
        )
      })
    }

    it('report all problems at once', () => {
      assert.throws(
        () => ledgerWith({ payer: 'x', balances: { y: -1, [PUBLISHER]: -1 } }),
        (error: { details?: { path: string }[] }) =>
          ['bank.payer', 'bank.balances.y', `bank.balances.${PUBLISHER}`].every((path) =>
            error.details?.some((problem) => problem.path === path),
          ),
      )
    })

    it('may be omitted, and then there is no money', () => {
      assert.equal(new EmbeddedLedger({ network: 'testnet', database }).bank, undefined)
    })
  })

  it('gives accounts their configured balance once', async () => {
    const balances = { [PAYER]: 20, [PUBLISHER]: '7ncheq' }
    const bank = bankWith({ payer: PAYER, balances })
    assert.equal(bank.payer, PAYER)
    assert.equal(await bank.balanceOf(PAYER), 20n * CHEQ)
    assert.equal(await bank.balanceOf(PUBLISHER), 7n)
    assert.equal(await bank.balanceOf(address('nobody')), 0n)
    await bank.pay({ to: PUBLISHER, amount: 5n * CHEQ, memo: '' })
    const again = bankWith({ payer: PAYER, balances: { ...balances, [PAYER]: 1000 } }, await open())
    assert.equal(await again.balanceOf(PAYER), 15n * CHEQ)
    assert.equal(await again.balanceOf(PUBLISHER), 5n * CHEQ + 7n)
  })

  it('gives an account its initial balance even if it was paid before', async () => {
    const bank = bankWith({ payer: PAYER, balances: { [PAYER]: 20 } })
    await bank.pay({ to: PUBLISHER, amount: 3n, memo: '' })
    const balances = { [PAYER]: 20, [PUBLISHER]: 1 }
    assert.equal(await bankWith({ balances }).balanceOf(PUBLISHER), CHEQ + 3n)
    assert.equal(await bankWith({ balances }).balanceOf(PUBLISHER), CHEQ + 3n)
  })

  it('gives it once if many processes start concurrently', async () => {
    const databases = await Promise.all(Array.from({ length: 4 }, () => open()))
    const found = await Promise.all(
      databases.map((each) => bankWith({ balances: { [PAYER]: 1 } }, each).balanceOf(PAYER)),
    )
    assert.deepEqual(found, [CHEQ, CHEQ, CHEQ, CHEQ])
  })

  it('keeps balances of two networks apart', async () => {
    const bank = { payer: PAYER, balances: { [PAYER]: 1 } }
    const [testnet, mainnet] = [bankWith(bank), bankWith(bank, database, 'mainnet')]
    await testnet.pay({ to: PUBLISHER, amount: 1n, memo: 'm' })
    assert.equal(await mainnet.balanceOf(PUBLISHER), 0n)
    assert.equal(await mainnet.balanceOf(PAYER), CHEQ)
    assert.deepEqual(await mainnet.findPayments({ to: PUBLISHER }), [])
  })

  it('records payments on the ledger with height, time and hash', async () => {
    const ledger = ledgerWith({ payer: PAYER, balances: { [PAYER]: 1 } })
    const before = await ledger.bank!.pay({ to: PUBLISHER, amount: 1n, memo: 'before' })
    const payment = await ledger.bank!.pay({ to: PUBLISHER, amount: 400n, memo: 'a memo' })
    const { txHash, ...others } = payment
    assert.match(txHash, /^[0-9A-F]{64}$/)
    // Time passes on a ledger.
    const time = new Date(now.getTime() + 1)
    assert.deepEqual(others, {
      height: before.height + 1,
      time,
      from: PAYER,
      to: PUBLISHER,
      amount: 400n,
      memo: 'a memo',
    })
    assert.deepEqual(await ledger.bank!.findPayments({ to: PUBLISHER }), [payment, before])
    const again = await ledger.bank!.pay({ to: PUBLISHER, amount: 400n, memo: 'a memo' })
    assert.notEqual(again.txHash, txHash)
    assert.equal(again.height, before.height + 2)
  })

  it('pays up to the whole balance, and not one ncheq more', async () => {
    const bank = bankWith({ payer: PAYER, balances: { [PAYER]: '10ncheq' } })
    await assert.rejects(bank.pay({ to: PUBLISHER, amount: 11n, memo: '' }), sdk(5))
    await bank.pay({ to: PUBLISHER, amount: 10n, memo: '' })
    await assert.rejects(bank.pay({ to: PUBLISHER, amount: 1n, memo: '' }), sdk(5))
    assert.equal(await bank.balanceOf(PAYER), 0n)
    assert.equal((await bank.findPayments({ to: PUBLISHER })).length, 1)
  })

  it('reports insufficient funds of the whole service', async () => {
    const error = await bankWith({ payer: PAYER })
      .pay({ to: PUBLISHER, amount: 5n, memo: '' })
      .catch((caught: unknown) => caught)
    assert.ok(error instanceof LedgerError)
    const { code, message } = toAgentError(error)
    assert.equal(code, 'insufficient_funds')
    assert.match(message, new RegExp(`${PAYER} has 0ncheq, less than 5ncheq`))
  })

  it('changes nothing when it refuses', async () => {
    const bank = bankWith({ payer: PAYER, balances: { [PAYER]: 1 } })
    const before = await database.query(sql`SELECT * FROM "ledger_state"`)
    for (const [payment, code] of [
      [{ to: PUBLISHER, amount: 2n * CHEQ, memo: '' }, 5],
      [{ to: 'cheqd1abc', amount: 1n, memo: '' }, 7],
      [{ to: PUBLISHER, amount: 0n, memo: '' }, 10],
      [{ to: PUBLISHER, amount: -1n, memo: '' }, 10],
      [{ to: PUBLISHER, amount: 2n ** 63n, memo: '' }, 10],
      [{ to: PUBLISHER, amount: 1n, memo: 'ü'.repeat(129) }, 12],
    ] as const) {
      await assert.rejects(bank.pay(payment), sdk(code), `${code}`)
    }
    assert.deepEqual(await database.query(sql`SELECT * FROM "ledger_state"`), before)
    assert.equal(await bank.balanceOf(PAYER), CHEQ)
    assert.deepEqual(await bank.findPayments({ to: PUBLISHER }), [])
    await bank.pay({ to: PUBLISHER, amount: 1n, memo: 'ü'.repeat(128) })
  })

  it('pays nothing without a payer', async () => {
    const bank = bankWith({ balances: { [PAYER]: 1 } })
    assert.equal(bank.payer, undefined)
    const error = await bank.pay({ to: PUBLISHER, amount: 1n, memo: '' }).catch((caught: unknown) => caught)
    assert.ok(error instanceof LedgerError)
    assert.equal(toAgentError(error).code, 'ledger_unavailable')
  })

  it('allows payments to oneself', async () => {
    const bank = bankWith({ payer: PAYER, balances: { [PAYER]: 1 } })
    await bank.pay({ to: PAYER, amount: CHEQ, memo: '' })
    assert.equal(await bank.balanceOf(PAYER), CHEQ)
  })

  it('finds payments by every criterion, newest first', async () => {
    const bank = bankWith({ payer: PAYER, balances: { [PAYER]: 1 } })
    const start = now.getTime()
    const pay = (minute: number, to: string, amount: bigint, memo: string) => {
      now = new Date(start + minute * 60_000)
      return bank.pay({ to, amount, memo })
    }
    const [a, b, c, d] = [
      await pay(1, PUBLISHER, 5n, 'a'),
      await pay(2, PUBLISHER, 50n, 'b'),
      await pay(3, PAYER, 5n, 'a'),
      await pay(4, PUBLISHER, 5n, 'b'),
    ]
    const to = PUBLISHER
    assert.deepEqual(await bank.findPayments({ to }), [d, b, a])
    assert.deepEqual(await bank.findPayments({ to: PAYER }), [c])
    assert.deepEqual(await bank.findPayments({ to, memo: 'b' }), [d, b])
    assert.deepEqual(await bank.findPayments({ to, memo: 'B' }), [])
    assert.deepEqual(await bank.findPayments({ to, amount: 5n }), [d, a])
    assert.deepEqual(await bank.findPayments({ to, notBefore: b.time }), [d, b])
    assert.deepEqual(await bank.findPayments({ to, notBefore: new Date(b.time.getTime() + 1) }), [d])
    assert.deepEqual(await bank.findPayments({ to, memo: 'b', amount: 5n, notBefore: b.time }), [d])
  })

  it('finds at most the 100 newest', async () => {
    const bank = bankWith({ payer: PAYER, balances: { [PAYER]: 1 } })
    await Promise.all(
      Array.from({ length: 105 }, (_, n) => bank.pay({ to: PUBLISHER, amount: 1n, memo: `${n}` })),
    )
    const found = await bank.findPayments({ to: PUBLISHER })
    assert.equal(found.length, 100)
    assert.deepEqual(
      found.map(({ height }) => height),
      Array.from({ length: 100 }, (_, n) => 105 - n),
    )
  })

  it('can be added to an existing ledger', async () => {
    const url = `sqlite:${join(folder, 'older.sqlite')}`
    const withoutBank = migrations.filter(({ name }) => !name.startsWith('CreateLedgerBank'))
    const older = new Database({ url, migrations: [withoutBank] })
    await older.lifecycle.start()
    const did = newDid()
    const key = newKey()
    await new EmbeddedLedger({
      network: 'testnet',
      database: older,
      now: () => now,
    }).submit(signed(did, create(didDoc(did, [key])), key))
    await older.lifecycle.stop()
    const ledger = ledgerWith({ payer: PAYER, balances: { [PAYER]: 1 } }, await open('older.sqlite'))
    assert.ok(await ledger.getDidDoc(did))
    assert.equal((await ledger.bank!.pay({ to: PUBLISHER, amount: 1n, memo: '' })).height, 1)
  })

  it('cannot be overdrawn by two processes that pay concurrently', async () => {
    const bank = { payer: PAYER, balances: { [PAYER]: '100ncheq' } }
    const banks = [bankWith(bank), bankWith(bank, await open())]
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => banks[n % 2]!.pay({ to: PUBLISHER, amount: 7n, memo: `${n}` })),
    )
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.equal(refused.length, 30 - 14)
    assert.ok(refused.every(({ reason }) => sdk(5)(reason)))
    assert.equal(await banks[0]!.balanceOf(PAYER), 2n)
    assert.equal(await banks[1]!.balanceOf(PUBLISHER), 98n)
    assert.deepEqual(await totals(), [100n, 100n])
  })

  it('preserves the total amount, whoever pays whom', async () => {
    const people = ['a', 'b', 'c'].map(address)
    const payments = fc.array(
      fc.record({
        from: fc.nat(2),
        to: fc.nat(2),
        amount: fc.oneof(fc.bigInt({ min: 1n, max: 40n }), fc.bigInt({ min: 1n, max: 2n ** 63n - 1n })),
      }),
      { maxLength: 25 },
    )
    const balances = Object.fromEntries(people.map((person) => [person, `${2n ** 62n}ncheq`]))
    const banks = people.map((payer) => bankWith({ payer, balances }))
    const expected = people.map(() => 2n ** 62n)
    await fc.assert(
      fc.asyncProperty(payments, async (sequence) => {
        for (const { from, to, amount } of sequence) {
          const paid = banks[from]!.pay({ to: people[to]!, amount, memo: '' })
          if (amount > expected[from]!) {
            await assert.rejects(paid, sdk(5))
          } else {
            await paid
            expected[from]! -= amount
            expected[to]! += amount
          }
        }
        assert.deepEqual(await Promise.all(people.map((person) => banks[0]!.balanceOf(person))), expected)
        const [sum, seeded] = await totals()
        assert.equal(sum, seeded)
      }),
      { numRuns: 25 },
    )
  })

  it('distinguishes a database failure from a broken rule', async () => {
    const bank = bankWith({ payer: PAYER, balances: { [PAYER]: 1 } })
    await database.write((connection) => connection.run(sql`DROP TABLE "ledger_payment"`))
    await assert.rejects(
      bank.pay({ to: PUBLISHER, amount: 1n, memo: '' }),
      (error) => error instanceof LedgerError && error.phase === 'transport' && error.retryable,
    )
    assert.equal(await bank.balanceOf(PAYER), CHEQ)
  })

  it('retries the initial balance after a database failure', async () => {
    const bank = bankWith({ balances: { [PAYER]: 1 } })
    await database.write((connection) => connection.run(sql`ALTER TABLE "ledger_account" RENAME TO "gone"`))
    await assert.rejects(bank.balanceOf(PAYER), LedgerError)
    await database.write((connection) => connection.run(sql`ALTER TABLE "gone" RENAME TO "ledger_account"`))
    assert.equal(await bank.balanceOf(PAYER), CHEQ)
  })
})
