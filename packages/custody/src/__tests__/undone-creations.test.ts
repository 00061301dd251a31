import assert from 'node:assert/strict'
import type { Account } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { PLACES } from '../../../../test/support/fresh-database.js'
import { BlindDatabase } from './blind-database.js'
import { Ledger, LedgerLikeProvider, type Step } from './ledger-like-provider.js'
import {
  accountNamed,
  as,
  count,
  countAll,
  emptyDatabase,
  install,
  makeDue,
  type Installation,
  removeFolder,
  SECRET,
  temporaryFolder,
} from './set-up.js'

const HOUR = 60 * 60 * 1000
/** in place of the secret, once that is replaced */
const NEXT = 'd1'.repeat(32)

for (const place of PLACES) {
  describe(`a creation that was undone while its owner was only unreachable (${place})`, () => {
    let folder: string
    let ledger: Ledger
    let provider: LedgerLikeProvider
    let owner: Installation
    let other: Installation
    let account: Account

    const open = async (url: string) =>
      install(folder, {
        url,
        Database: BlindDatabase,
        envelope: new PrivateKeyEnvelope({ secret: SECRET, previous: [NEXT] }),
        providers: { 'did:test': provider },
        resolvers: ledger.resolver,
      })
    const create = (here: Installation, alias = 'mine') =>
      as(account)(() => here.agent.didManagerCreate({ provider: 'did:test', alias }))
    const sign = (here: Installation, kid: string | undefined) =>
      as(account)(() => here.agent.keyManagerSign({ keyRef: kid ?? '', data: 'x' }))
    const later = async (hours: number) => {
      ;(other.database as BlindDatabase).later = hours * HOUR
      await makeDue(other)
    }
    /** Begins a creation that waits after a step. */
    const beginUntil = async (step: Step) => {
      let goOn: (error?: Error) => void = () => undefined
      const waiting = new Promise<void>((resolve, reject) => {
        goOn = (error) => (error ? reject(error) : resolve())
      })
      let creation: ReturnType<typeof create> | undefined
      await new Promise<void>((reached) => {
        provider.afterStep = async (at) => {
          if (at !== step) return
          provider.afterStep = async () => undefined
          reached()
          await waiting
        }
        creation = create(owner)
        creation.catch(() => undefined)
      })
      return { creation: creation!, goOn }
    }
    const undone = { completed: 0, undone: 1, left: 0 }

    beforeEach(async () => {
      folder = await temporaryFolder()
      ledger = new Ledger()
      provider = new LedgerLikeProvider(ledger)
      const url = await emptyDatabase(place)
      owner = await open(url)
      other = await open(url)
      account = await accountNamed(owner, 'one')
    })
    afterEach(async () => {
      await owner.stop()
      await other.stop()
      await removeFolder(folder)
    })

    const assertCompleted = async (alias: string | undefined = 'mine') => {
      const [did = ''] = ledger.dids.keys()
      const found = await as(account)(() => other.agent.didManagerGet({ did }))
      assert.equal(found.alias, alias)
      await sign(other, found.controllerKeyId)
      assert.deepEqual(
        [await count(other, 'undone creation'), await count(other, 'hidden private key')],
        [0, 0],
      )
    }

    it('is written again by its owner, which continued to the ledger', async () => {
      const { creation, goOn } = await beginUntil('recorded')
      assert.deepEqual(await other.agent.didCreationRecover(), undone)
      assert.deepEqual(await countAll(other), {})
      goOn()
      const { controllerKeyId } = await creation
      await sign(owner, controllerKeyId)
      await assertCompleted()
    })

    it('is written again even if it was forgotten', async () => {
      const { creation, goOn } = await beginUntil('recorded')
      await other.agent.didCreationRecover()
      await later(25)
      await other.agent.didCreationRecover()
      assert.equal(await count(other, 'undone creation'), 0)
      goOn()
      await sign(owner, (await creation).controllerKeyId)
      await assertCompleted()
    })

    it('is completed later if its owner died after the ledger accepted it', async () => {
      const { creation } = await beginUntil('recorded')
      void creation
      assert.deepEqual(await other.agent.didCreationRecover(), undone)
      const [item] = await other.database.query<{ payload: string }>(
        sql`SELECT payload FROM work_item WHERE kind = 'did-creation'`,
      )
      const { identifier, keys } = JSON.parse(item?.payload ?? '') as {
        identifier: { did: string }
        keys: [{ publicKeyHex: string }]
      }
      ledger.dids.set(identifier.did, keys[0].publicKeyHex)
      assert.deepEqual(await other.agent.didCreationRecover(), { completed: 0, undone: 0, left: 0 })
      await later(1)
      assert.deepEqual(await other.agent.didCreationRecover(), { completed: 1, undone: 0, left: 0 })
      await assertCompleted()
    })

    it('is completed without its alias if another DID has taken that', async () => {
      const { creation, goOn } = await beginUntil('recorded')
      await other.agent.didCreationRecover()
      await as(account)(() => other.agent.didManagerCreate({ provider: 'did:key', alias: 'mine' }))
      goOn()
      await assert.rejects(creation, { code: 'alias_taken' })
      await later(1)
      await other.agent.didCreationRecover()
      const [did = ''] = ledger.dids.keys()
      const found = await as(account)(() => other.agent.didManagerGet({ did }))
      assert.equal(found.alias, undefined)
      await sign(other, found.controllerKeyId)
    })

    it('stays while the ledger is unreachable, and is removed with its keys a day after it was undone', async () => {
      const { goOn } = await beginUntil('recorded')
      await other.agent.didCreationRecover()
      ledger.down.forReading = true
      await later(30)
      await other.agent.didCreationRecover()
      assert.equal(await count(other, 'hidden private key'), 1)
      ledger.down.forReading = false
      await later(32)
      await other.agent.didCreationRecover()
      assert.deepEqual(await other.database.query(sql`SELECT alias FROM "private-key"`), [])
      assert.equal(await count(other, 'undone creation'), 0)
      goOn(new Error('too late'))
    })

    it('keeps its private key readable when the secret is replaced', async () => {
      await beginUntil('recorded')
      await other.agent.didCreationRecover()
      const [store] = other.privateKeyStore.sealedStores
      assert.equal(
        [...((await store?.countSealed()) ?? [])].reduce((sum, [, n]) => sum + n, 0),
        1,
      )
      const { keyId } = new PrivateKeyEnvelope({ secret: NEXT })
      const batches = []
      for await (const batch of store?.reseal(keyId, 10) ?? []) batches.push(batch)
      assert.deepEqual(batches, [{ resealed: 1, unreadable: [] }])
    })

    it('ends in one consistent state, however two recoveries and one creation interleave', async () => {
      for (let trial = 0; trial < 15; trial += 1) {
        const pause = () =>
          new Promise<void>((resolve) => setTimeout(resolve, Math.floor(Math.random() * 12)))
        provider.afterStep = pause
        let creating = 4
        const recovering = (here: Installation) => async () => {
          while (creating > 0) {
            await here.agent.didCreationRecover()
            await pause()
          }
        }
        const creations = Array.from({ length: creating }, (_, n) =>
          create(owner, `${trial} ${n}`).finally(() => (creating -= 1)),
        )
        await Promise.all([recovering(other)(), recovering(other)(), ...creations])
      }
      await later(30)
      await other.agent.didCreationRecover()
      const held = await as(account)(() => other.agent.didManagerFind())
      assert.deepEqual(held.map(({ did }) => did).sort(), [...ledger.dids.keys()].sort())
      for (const { controllerKeyId } of held) await sign(other, controllerKeyId)
      const all = await countAll(other)
      assert.deepEqual(
        [all.intent, all['private-key'], all.account_key],
        [undefined, held.length, held.length],
      )
      assert.equal(await count(other, 'undone creation'), 0)
    })
  })
}
