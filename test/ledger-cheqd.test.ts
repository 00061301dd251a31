import assert from 'node:assert/strict'
import { createHash, randomUUID, sign, type KeyObject } from 'node:crypto'
import { waitsForNetworks } from '@vidimus/core-types'
import type { LedgerError } from '@vidimus/ledger'
import type { CheqdLedger, CheqdLedgerOptions } from '@vidimus/ledger-cheqd'
import { CheqdInstallation, CHEQ, MNEMONIC, PAYER, publish, Subject } from './support/cheqd-installation.js'
import { CheqdNode, type CheqdNodeOptions } from './support/cheqd-node/cheqd-node.js'
import { NCHEQ_FEES } from './support/cheqd-node/fee-params.js'
import { Wallet } from './support/cheqd-node/wallet.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { outsideKey } from './support/outside-key.js'
import { until } from './support/until.js'

const OTHER = 'cheqd1x6weed6d4nchwax2ajnhu0cqqr9kd5z399vxq2'

/** Holds for a LedgerError with these members. */
const ledgerError =
  (expected: Partial<LedgerError>, says = /./) =>
  (error: LedgerError) => {
    assert.equal(error.name, 'LedgerError')
    const { codespace, code, phase } = error
    assert.deepEqual({ codespace, code, phase, ...expected }, { codespace, code, phase })
    assert.match(error.message, says)
    return true
  }

for (const place of PLACES) {
  describe(`a cheqd network (${place})`, () => {
    let node: CheqdNode
    let installation: CheqdInstallation
    let ledger: CheqdLedger
    const start = async (
      nodeOptions: CheqdNodeOptions = {},
      options: Partial<CheqdLedgerOptions> = {},
      funds = 10_000_000n * CHEQ,
    ) => {
      node = await CheqdNode.start({ blockTime: 15, ...nodeOptions })
      if (funds > 0n) await node.fund(PAYER, funds)
      installation = await CheqdInstallation.open(await freshDatabase(place), { rpc: node.url, ...options })
      ledger = installation.ledger
    }
    afterEach(async () => {
      await installation.close()
      await node.stop()
    })
    const queries = (name: string) => node.calls.filter(({ path }) => path?.endsWith(`/${name}`)).length

    describe('DIDs', () => {
      it('are created, updated and deactivated, with the metadata of the transaction', async () => {
        await start()
        const subject = new Subject()
        const before = node.calls.length
        const created = await ledger.submit(subject.create())
        const { didDoc } = created
        assert.deepEqual(didDoc?.didDoc, subject.doc)
        assert.deepEqual(didDoc.metadata.created, created.time)
        assert.equal(node.chain.transactions.at(-1)?.transaction.hash, created.txHash)
        assert.equal(node.chain.transactions.at(-1)?.height, created.height)
        // Once before it is sent, and never for the receipt.
        const asked = node.calls.slice(before).filter(({ path }) => path?.endsWith('/DidDoc'))
        assert.equal(asked.length, 1)

        const updated = await ledger.submit(subject.update())
        const last = await ledger.submit(subject.deactivate())
        assert.equal(last.didDoc?.metadata.deactivated, true)
        assert.deepEqual(await ledger.getDidDoc(subject.did), last.didDoc)
        const versions = await ledger.listDidDocVersions(subject.did, { limit: 1000 })
        assert.deepEqual(
          versions.map(({ versionId }) => versionId),
          [created, updated, last].map((receipt) => receipt.didDoc?.metadata.versionId),
        )
        const id = updated.didDoc?.metadata.versionId ?? ''
        const second = await ledger.getDidDoc(
          subject.did.toUpperCase().replace(/^DID:CHEQD:TESTNET/, 'did:cheqd:testnet'),
          id.toUpperCase(),
        )
        assert.deepEqual(second?.didDoc, updated.didDoc?.didDoc)
        await assert.rejects(ledger.submit(subject.update()), ledgerError({ codespace: 'cheqd', code: 1207 }))
      })

      it('are undefined if missing', async () => {
        await start()
        const { did } = new Subject()
        assert.equal(await ledger.getDidDoc(did), undefined)
        assert.equal(await ledger.getDidDoc(did, randomUUID()), undefined)
        assert.deepEqual(await ledger.listDidDocVersions(did, { limit: 1000 }), [])
        const collection = did.split(':').at(-1) ?? ''
        assert.equal(await ledger.getResource(collection, randomUUID()), undefined)
        assert.equal(await ledger.getResourceMetadata(collection, randomUUID()), undefined)
        assert.equal(await ledger.getLatestResource(collection, 'a', 'b'), undefined)
        assert.deepEqual(await ledger.listResources(collection, { limit: 1000 }), [])
        assert.deepEqual(
          await ledger.findResources(collection, { name: 'a', resourceType: 'b', limit: 1 }),
          [],
        )
      })

      it("are refused by the rules before anything is sent, with the ledger's codes", async () => {
        await start()
        const subject = await Subject.created(ledger)
        const sent = node.chain.transactions.length
        const wrong = subject.create()
        await assert.rejects(
          ledger.submit(wrong),
          ledgerError({ codespace: 'cheqd', code: 1200, phase: 'deliver' }),
        )
        const unsigned = { ...new Subject().create(), signatures: [] }
        await assert.rejects(ledger.submit(unsigned), ledgerError({ codespace: 'cheqd', code: 1101 }))
        const nobody = new Subject().publish()
        await assert.rejects(ledger.submit(nobody), ledgerError({ codespace: 'sdk', code: 38 }))
        const long = subject.publish({ name: 'n'.repeat(65) })
        await assert.rejects(
          ledger.submit(long),
          ledgerError({ codespace: 'cheqd', code: 1206, phase: 'check' }),
        )
        assert.equal(node.chain.transactions.length, sent)
        assert.equal((await ledger.report()).waiting, 0)
      })

      it('are not reported as missing while in transit', async () => {
        await start()
        // Of other tests of this process, which may still wait for a server that has stopped.
        await until(() => waitsForNetworks.count === 0)
        const held = node.misbehave('holdTransaction')
        const subject = new Subject()
        const creating = ledger.submit(subject.create())
        await until(() => node.pending.length > 0)
        assert.equal(waitsForNetworks.count, 1)
        await assert.rejects(ledger.getDidDoc(subject.did), ledgerError({ phase: 'transport' }, /on its way/))
        // The chain decides between two creations of one DID.
        const second = ledger.submit(subject.create())
        const refused = assert.rejects(second, ledgerError({ codespace: 'cheqd', code: 1200 }))
        held.stop()
        await creating
        await refused
        assert.ok(await ledger.getDidDoc(subject.did))
        assert.equal(waitsForNetworks.count, 0)
      })
    })

    describe('resources', () => {
      for (const latestResourceVersion of [true, false]) {
        it(`are read in every way, ${latestResourceVersion ? 'with' : 'without'} queries for the newest`, async () => {
          await start({ latestResourceVersion })
          const subject = await Subject.created(ledger)
          const ids: string[] = []
          for (let n = 0; n < 4; n++) {
            const message = subject.publish({ name: 'a', version: `v${n}`, data: Buffer.from(`{"n":${n}}`) })
            ids.push((await publish(ledger, message, ids.at(-1) ?? null)).id)
          }
          const other = await publish(ledger, subject.publish({ name: 'b', data: Buffer.from('plain text') }))
          const { collectionId } = other
          assert.equal(other.mediaType, 'text/plain; charset=utf-8')
          const all = await ledger.listResources(collectionId, { limit: 1000 })
          assert.deepEqual(
            all.map(({ id }) => id),
            [...ids, other.id],
          )
          const newest = await ledger.getLatestResource(collectionId, 'a', 'StatusList2021Revocation')
          assert.equal(Buffer.from(newest?.data ?? []).toString(), '{"n":3}')
          assert.equal(newest?.metadata.id, ids[3])
          assert.equal(
            (await ledger.getResource(collectionId.toUpperCase(), ids[1] ?? ''))?.metadata.nextVersionId,
            ids[2],
          )
          const find = async (query: object) =>
            (await ledger.findResources(collectionId, { limit: 10, ...query })).map(({ id }) => id)
          assert.deepEqual(await find({}), [ids[3], other.id])
          assert.deepEqual(await find({ limit: 1 }), [ids[3]])
          assert.deepEqual(await find({ name: 'a', resourceType: 'StatusList2021Revocation' }), [ids[3]])
          assert.deepEqual(await find({ version: 'v1' }), [ids[1]])
          assert.deepEqual(await find({ checksum: all[2]?.checksum }), [ids[2]])
          assert.deepEqual(await find({ name: 'a', before: all[2]?.created }), [ids[1]])
        })
      }

      it('need one query each time they are read again, and none for older versions', async () => {
        await start()
        const subject = await Subject.created(ledger)
        const first = await publish(ledger, subject.publish(), null)
        const { collectionId, name, resourceType } = first
        const newest = () => ledger.getLatestResource(collectionId, name, resourceType)
        assert.equal((await newest())?.metadata.id, first.id)
        const asked = node.calls.length
        assert.equal((await newest())?.metadata.id, first.id)
        assert.equal(node.calls.length, asked + 1)
        await Promise.all(Array.from({ length: 20 }, newest))
        assert.equal(node.calls.length, asked + 2)

        // A version by somebody else is visible immediately, whatever is cached.
        const wallet = await Wallet.connect(node.url, MNEMONIC)
        const foreign = subject.publish()
        assert.equal((await wallet.send([foreign])).code, 0)
        const found = await newest()
        assert.equal(found?.metadata.previousVersionId, first.id)
        assert.equal(
          (await ledger.getResource(collectionId, first.id))?.metadata.nextVersionId,
          found?.metadata.id,
        )
        await ledger.getResource(collectionId, first.id)
        const before = node.calls.length
        assert.equal(
          (await ledger.getResource(collectionId, first.id))?.metadata.nextVersionId,
          found?.metadata.id,
        )
        assert.equal(node.calls.length, before)
      })

      it('follow the expected version or fail', async () => {
        await start()
        const subject = await Subject.created(ledger)
        const conflict = ledgerError({ codespace: 'vidimus', code: 1, phase: 'conflict' })
        await assert.rejects(publish(ledger, subject.publish(), randomUUID()), conflict)
        const first = await publish(ledger, subject.publish(), null)
        await assert.rejects(publish(ledger, subject.publish(), null), conflict)
        const outcomes = await Promise.allSettled(
          Array.from({ length: 10 }, () => publish(ledger, subject.publish(), first.id)),
        )
        const refused = outcomes.flatMap((outcome) =>
          outcome.status === 'rejected' ? [outcome.reason as LedgerError] : [],
        )
        assert.equal(refused.length, 9)
        refused.forEach(conflict)
        assert.equal((await ledger.listResources(first.collectionId, { limit: 1000 })).length, 2)
      })

      it('support expected versions for documents too', async () => {
        await start()
        const subject = await Subject.created(ledger)
        const newest = async () => (await ledger.getDidDoc(subject.did))?.metadata.versionId ?? ''
        const created = await newest()
        const conflict = ledgerError({ codespace: 'vidimus', code: 1, phase: 'conflict' })
        const update = (expectedPrevious: string) => ledger.submit(subject.update(), { expectedPrevious })
        await assert.rejects(update(randomUUID()), conflict)
        const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => update(created)))
        const refused = outcomes.flatMap((outcome) =>
          outcome.status === 'rejected' ? [outcome.reason as LedgerError] : [],
        )
        assert.equal(refused.length, 4)
        refused.forEach(conflict)
        assert.equal((await ledger.listDidDocVersions(subject.did, { limit: 1000 })).length, 2)
        await update((await newest()).toUpperCase())
        await assert.rejects(ledger.submit(subject.deactivate(), { expectedPrevious: created }), conflict)
        assert.equal((await ledger.listDidDocVersions(subject.did, { limit: 1000 })).length, 3)
        const closing = await ledger.submit(subject.deactivate(), { expectedPrevious: await newest() })
        assert.equal(closing.didDoc?.metadata.deactivated, true)
      })

      it('support expected document versions even if another update is in the same block', async () => {
        await start()
        const subject = await Subject.created(ledger)
        const { versionId: created = '' } = (await ledger.getDidDoc(subject.did))?.metadata ?? {}
        const held = node.misbehave('holdTransaction')
        const theirs = ledger.submit(subject.update())
        await until(() => node.pending.length > 0)
        const message = subject.update()
        const ours = ledger.submit(message, { expectedPrevious: created })
        await until(() => node.pending.length > 1)
        held.stop()
        const refused = assert.rejects(
          ours,
          ledgerError({ codespace: 'vidimus', code: 1, phase: 'conflict' }),
        )
        const { didDoc } = await theirs
        await refused
        const written = (message.payload as { versionId: string }).versionId
        const found = await ledger.getDidDoc(subject.did, written)
        assert.equal(found?.metadata.previousVersionId, didDoc?.metadata.versionId)
      })

      it('overtaken by somebody else are distinguished from the others', async () => {
        await start()
        const subject = await Subject.created(ledger)
        const foreign = await publish(ledger, subject.publish(), null)
        const held = node.misbehave('holdTransaction')
        const overtaken = publish(ledger, subject.publish(), foreign.id)
        await until(() => node.pending.length > 0)
        // without the lock, so that both meet on the chain
        const other = publish(ledger, subject.publish())
        held.stop()
        const [one, two] = await Promise.allSettled([overtaken, other])
        assert.equal(two.status, 'fulfilled')
        const list = await ledger.listResources(foreign.collectionId, { limit: 1000 })
        assert.equal(list.length, 3)
        assert.equal(one.status, list[1]?.id === two.value.id ? 'rejected' : 'fulfilled')
      })
    })

    describe('aborting', () => {
      it('withdraws what is in no transaction yet', async () => {
        await start({}, { outbox: { maxInFlight: 1 } })
        const held = node.misbehave('holdTransaction')
        const first = ledger.submit(new Subject().create())
        await until(() => node.pending.length > 0)
        const giving = new AbortController()
        const withdrawn = new Subject()
        const second = ledger.submit(withdrawn.create(), { signal: giving.signal })
        await until(async () => (await ledger.report()).waiting === 2)
        giving.abort(new Error('the caller has left'))
        await assert.rejects(second, /the caller has left/)
        held.stop()
        await first
        assert.equal(await ledger.getDidDoc(withdrawn.did), undefined)
        assert.equal(node.chain.messages.length, 1)
      })

      it('does not affect what a transaction contains', async () => {
        await start()
        const held = node.misbehave('holdTransaction')
        const giving = new AbortController()
        const subject = new Subject()
        const submitted = ledger.submit(subject.create(), { signal: giving.signal })
        await until(() => node.pending.length > 0)
        giving.abort()
        await assert.rejects(submitted, ledgerError({ phase: 'timeout' }, /it will continue/))
        held.stop()
        await until(async () => (await ledger.report()).waiting === 0)
        assert.ok(await ledger.getDidDoc(subject.did))
      })

      it('happens automatically after a timeout', async () => {
        await start({}, { outbox: { submitTimeoutMs: 1000 } })
        const held = node.misbehave('holdTransaction')
        // A busy machine may withdraw it before a transaction takes it.
        await until(async () => {
          const given: unknown = await ledger.submit(new Subject().create()).catch((error: unknown) => error)
          return (given as Partial<LedgerError>).phase === 'timeout'
        })
        assert.ok(node.pending.length > 0)
        held.stop()
      })

      it('sends nothing for a caller that left before', async () => {
        await start()
        await assert.rejects(
          ledger.submit(new Subject().create(), { signal: AbortSignal.abort(new Error('left')) }),
          /left/,
        )
        assert.equal(node.calls.length, 0)
      })
    })

    describe('fees', () => {
      it("follow the chain's parameters and the dollar price", async () => {
        await start({ price: 0.05 })
        const { fees } = await ledger.report()
        // 2 dollars, and a tenth more in case that the price rises
        assert.equal(fees?.createDid, 44n * CHEQ)
        const before = node.balanceOf(PAYER)
        await ledger.submit(new Subject().create())
        assert.equal(before - node.balanceOf(PAYER), 40n * CHEQ)
      })

      it('are queried again when the chain finds them too low', async () => {
        await start({ price: 0.05 })
        await Subject.created(ledger)
        node.setPrice(0.02)
        await Subject.created(ledger)
        assert.equal(queries('ConvertUSDCtoCHEQ') > 6, true)
      })

      it('are the minimum of a range, for each message, on chains without a price too', async () => {
        await start({ fees: NCHEQ_FEES, price: 'none' })
        const before = node.balanceOf(PAYER)
        const subjects = await Promise.all([1, 2, 3, 4].map(() => Subject.created(ledger)))
        const { fees } = await ledger.report()
        assert.equal(before - node.balanceOf(PAYER), 4n * (fees?.createDid ?? 0n))
        assert.equal(fees?.createDid, 50n * CHEQ)
        const between = node.balanceOf(PAYER)
        await Promise.all(subjects.map((subject) => ledger.submit(subject.publish())))
        assert.equal(between - node.balanceOf(PAYER), 4n * (fees?.json ?? 0n))
      })

      it('above the ceiling are refused without sending anything', async () => {
        await start({ price: 0.001 })
        await assert.rejects(
          ledger.submit(new Subject().create()),
          ledgerError(
            { phase: 'check' },
            /charges a fee of 2200000000000ncheq .* maxFee allows 250000000000ncheq/,
          ),
        )
        assert.equal(node.chain.transactions.length, 0)
      })

      it("beyond the payer's balance are reported with the available and required amounts", async () => {
        await start({}, {}, 50n * CHEQ)
        await ledger.submit(new Subject().create())
        const expected = new RegExp(`${PAYER} has 10000000000ncheq, but 44000000000ncheq is needed`)
        await assert.rejects(
          ledger.submit(new Subject().create()),
          ledgerError({ codespace: 'sdk', code: 5 }, expected),
        )
        const [chain, payer] = await ledger.check()
        assert.deepEqual([chain?.ok, payer?.ok, payer?.warning], [true, false, true])
        assert.match(payer?.message ?? '', /less than the 44000000000ncheq that one DID costs/)
      })

      it('are reported for an account that never had a balance too', async () => {
        await start({}, {}, 0n)
        const expected = new RegExp(`${PAYER} has 0ncheq, but 44000000000ncheq is needed`)
        await assert.rejects(
          ledger.submit(new Subject().create()),
          ledgerError({ codespace: 'sdk', code: 5 }, expected),
        )
      })

      it('can be based on a simulation', async () => {
        await start({}, { gas: { simulate: true, adjustment: 1.2 } })
        await Subject.created(ledger)
        const fee = node.chain.transactions[0]?.transaction.fee
        assert.ok(queries('Simulate') > 0)
        assert.ok(Number(fee?.gasLimit) > 0)
      })
    })

    describe('money', () => {
      it('is paid with a memo, and the payment can be found', async () => {
        await start()
        const { bank } = ledger
        assert.equal(bank.payer, PAYER)
        const memo = randomUUID()
        const payment = await bank.pay({ to: OTHER, amount: 5n * CHEQ, memo })
        assert.equal(await bank.balanceOf(OTHER), 5n * CHEQ)
        const second = await bank.pay({ to: OTHER, amount: 7n, memo: 'other' })
        assert.deepEqual(await bank.findPayments({ to: OTHER }), [second, payment])
        assert.deepEqual(await bank.findPayments({ to: OTHER, memo }), [payment])
        assert.deepEqual(await bank.findPayments({ to: OTHER, amount: 7n }), [second])
        const later = new Date(payment.time.getTime() + 1)
        assert.deepEqual(await bank.findPayments({ to: OTHER, notBefore: later }), [second])
        assert.deepEqual(await bank.findPayments({ to: PAYER }), [])
      })

      it('is not paid if the payment is impossible', async () => {
        await start({}, {}, 10n * CHEQ)
        const pay = (changes: object) => ledger.bank.pay({ to: OTHER, amount: 1n, memo: '', ...changes })
        await assert.rejects(pay({ to: 'cheqd1nobody' }), ledgerError({ codespace: 'sdk', code: 7 }))
        await assert.rejects(pay({ amount: 0n }), ledgerError({ codespace: 'sdk', code: 10 }))
        await assert.rejects(pay({ memo: 'm'.repeat(257) }), ledgerError({ codespace: 'sdk', code: 12 }))
        await assert.rejects(
          pay({ amount: 100n * CHEQ }),
          ledgerError({ codespace: 'sdk', code: 5 }, /has 10000000000ncheq/),
        )
        assert.equal(node.balanceOf(OTHER), 0n)
      })

      it('is paid once even if responses are lost', async () => {
        await start()
        node.misbehave('loseResponse', { times: 2, when: ({ method }) => method === 'broadcast_tx_sync' })
        node.misbehave('forgetTransaction', { times: 1 })
        await Promise.all([1n, 2n, 3n].map((amount) => ledger.bank.pay({ to: OTHER, amount, memo: '' })))
        assert.equal(node.balanceOf(OTHER), 6n)
        assert.deepEqual(node.chain.sentTwice, [])
      })
    })

    describe('batches', () => {
      it('combine many messages into few transactions', async () => {
        await start({ blockTime: 50 }, { outbox: { pollMs: 50 } })
        const subjects = await Promise.all(Array.from({ length: 10 }, () => Subject.created(ledger)))
        const before = node.chain.transactions.length
        await Promise.all(
          Array.from({ length: 200 }, (_, n) =>
            publish(ledger, subjects[n % 10]?.publish({ name: `list ${n}` }) ?? assert.fail(), null),
          ),
        )
        const transactions = node.chain.transactions.length - before
        assert.deepEqual(node.chain.sentTwice, [])
        assert.ok(transactions <= 40, `${transactions} transactions for 200 messages`)
      })
    })

    describe('the payer', () => {
      it('may be a key that never leaves its module', async () => {
        const { publicKeyHex, privateKey } = outsideKey('Secp256k1')
        const module = new SigningModule(privateKey)
        await start({}, { payer: { kms: module, kid: 'payer', publicKeyHex } }, 0n)
        const { payer } = ledger.bank
        assert.match(payer ?? '', /^cheqd1/)
        await node.fund(payer ?? '', 1_000n * CHEQ)
        for (let n = 0; n < 5; n++) await Subject.created(ledger)
        // whose signatures come in both forms
        assert.equal(module.signed, 5)
      })

      it('may be missing if nothing is written', async () => {
        await start()
        const subject = await Subject.created(ledger)
        const { database } = installation
        const { CheqdLedger: Reader } = await import('@vidimus/ledger-cheqd')
        const reader = new Reader({ network: 'testnet', database, rpc: node.url })
        assert.ok(await reader.getDidDoc(subject.did))
        await assert.rejects(
          reader.submit(subject.update()),
          ledgerError({ codespace: 'sdk', code: 9 }, /no payer/),
        )
        assert.equal(reader.bank.payer, undefined)
      })
    })

    describe('the node', () => {
      for (const cometVersion of ['0.37.15', '0.38.19', '1.0.1']) {
        it(`may be CometBFT ${cometVersion}`, async () => {
          await start({ cometVersion })
          const subject = await Subject.created(ledger)
          await publish(ledger, subject.publish(), null)
          const report = await ledger.report()
          assert.equal(report.nodeVersion, cometVersion)
          assert.equal(report.chainId, 'cheqd-testnet-6')
          assert.equal(report.payer?.paysForDids, (report.payer?.balance ?? 0n) / (44n * CHEQ))
        })
      }

      it('may be down at startup, which is reported', async () => {
        await start()
        await node.stop()
        const { database } = installation
        const { CheqdLedger: Ledger } = await import('@vidimus/ledger-cheqd')
        const requests = { attempts: 1 }
        const late = new Ledger({
          network: 'testnet',
          database,
          rpc: node.url.replace('//', '//me:secret@'),
          requests,
          payer: { mnemonic: MNEMONIC },
        })
        await late.lifecycle.start()
        assert.deepEqual(await late.check(), [
          { name: 'ledger:testnet', ok: false, message: 'no node of the network can be used: ECONNREFUSED' },
        ])
        await assert.rejects(
          late.submit(new Subject().create()),
          ledgerError(
            { phase: 'transport' },
            /^no node of testnet is reachable: 127\.0\.0\.1:\d+: ECONNREFUSED$/,
          ),
        )
        await node.open()
        await until(async () => (await late.getDidDoc(new Subject().did).catch(() => 'away')) === undefined)
        await late.lifecycle.stop()
      })

      it('makes the service unready when it stalls', async () => {
        await start({ blockTime: 'by hand' })
        node.misbehave('catchUp', { behindSeconds: 1_000 })
        const [check] = await ledger.check()
        assert.equal(check?.ok, false)
        assert.match(check.message ?? '', /catching up/)
        await assert.rejects(
          ledger.getDidDoc(new Subject().did),
          ledgerError({ phase: 'transport' }, /it is catching up with the chain/),
        )
        node.behave()
        assert.equal(await ledger.getDidDoc(new Subject().did), undefined)
      })
    })
  })
}

/** A hardware module: nothing comes out of it but signatures, of either form. */
class SigningModule {
  signed = 0

  constructor(private readonly privateKey: KeyObject) {}

  async sign({
    keyRef,
    algorithm,
    data,
  }: {
    keyRef: { kid: string }
    algorithm?: string
    data: Uint8Array
  }): Promise<string> {
    assert.equal(keyRef.kid, 'payer')
    assert.equal(algorithm, 'ES256K')
    this.signed += 1
    const signature = sign('sha256', data, { key: this.privateKey, dsaEncoding: 'ieee-p1363' })
    const s = BigInt(`0x${signature.subarray(32).toString('hex')}`)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const other = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex')
    const isOdd = createHash('sha256').update(data).digest()[0]! % 2 === 1
    return (isOdd ? signature : Buffer.concat([signature.subarray(0, 32), other])).toString('base64url')
  }

  async listKeys(): Promise<never> {
    throw new Error('not supported')
  }
}
