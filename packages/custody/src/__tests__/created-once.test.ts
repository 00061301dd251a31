import assert from 'node:assert/strict'
import { IdempotentRun, runInAccountScope, type Account } from '@vidimus/core-types'
import { PrivateKeyEnvelope } from '@vidimus/kms-node'
import { IdempotencyRecords } from '@vidimus/idempotency'
import { BlindDatabase } from './blind-database.js'
import { Ledger, LedgerLikeProvider, type Step } from './ledger-like-provider.js'
import {
  accountNamed,
  count,
  countAll,
  hasCode,
  install,
  makeDue,
  removeFolder,
  SECRET,
  temporaryFolder,
} from './set-up.js'
import type { Installation } from './set-up.js'

const never = new Promise<never>(() => undefined)

describe('repeated creation', () => {
  let folder: string
  let ledger: Ledger
  let here: Installation
  let provider: LedgerLikeProvider
  let account: Account
  /** an earlier run, for a request of its own */
  let first: IdempotentRun
  const stops: (() => Promise<void>)[] = []

  /** As a process of its own. */
  async function start(): Promise<{ here: Installation; provider: LedgerLikeProvider }> {
    const own = new LedgerLikeProvider(ledger)
    const started = await install(folder, {
      providers: { 'did:test': own },
      resolvers: ledger.resolver,
      Database: BlindDatabase,
    })
    stops.push(() => started.stop())
    return { here: started, provider: own }
  }

  beforeEach(async () => {
    folder = await temporaryFolder()
    ledger = new Ledger()
    ;({ here, provider } = await start())
    account = await accountNamed(here, 'one')
    const records = new IdempotencyRecords(here.database, new PrivateKeyEnvelope({ secret: SECRET }))
    const beginning = await records.begin(
      { accountId: account.id, key: 'key', content: 'request' },
      { waitMs: 0 },
    )
    first = beginning.outcome === 'begun' ? beginning.claim.run : assert.fail()
  })
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
    await removeFolder(folder)
  })

  const again = (before: 'given-up' | 'taken-over') => new IdempotentRun(first.recordId, before)
  const inRun = <T>(run: IdempotentRun, work: () => Promise<T>) => runInAccountScope(account, work, { run })
  const create = (run: IdempotentRun, installation = here, args: object = { provider: 'did:test' }) =>
    inRun(run, () => installation.agent.didManagerCreate(args))

  for (const kind of ['did:test', 'did:key']) {
    it(`returns the same DID of ${kind}`, async () => {
      const args = { provider: kind, alias: 'mine' }
      const created = await create(first, here, args)
      const { here: there } = await start()
      for (const installation of [here, there]) {
        assert.deepEqual(await create(again('taken-over'), installation, args), created)
      }
      assert.equal(await count(here, 'account_did'), 1)
      assert.equal(await count(here, 'account_key'), 1)
    })
  }

  it('returns the same key, which belongs to the account only', async () => {
    const make = (run: IdempotentRun) =>
      inRun(run, () => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }))
    const { kid } = await make(first)
    assert.equal((await make(again('given-up'))).kid, kid)
    assert.equal(await count(here, 'private-key'), 1)
  })

  it('matches several creations in one request by their order', async () => {
    const both = (run: IdempotentRun) =>
      inRun(run, async () => {
        const one = await here.agent.didManagerCreate({ provider: 'did:key' })
        const two = await here.agent.didManagerCreate({ provider: 'did:test' })
        return [one.did, two.did]
      })
    const dids = await both(first)
    assert.notEqual(dids[0], dids[1])
    assert.deepEqual(await both(again('given-up')), dids)
    assert.equal(await count(here, 'account_did'), 2)
  })

  it('creates again what was deleted', async () => {
    const { did } = await create(first)
    await runInAccountScope(account, () => here.agent.didManagerDelete({ did }))
    const anew = await create(again('given-up'))
    assert.notEqual(anew.did, did)
    assert.equal((await create(again('given-up'))).did, anew.did)
  })

  const OUTCOMES: Record<Step, 'the same' | 'another'> = {
    'key made': 'another',
    recorded: 'another',
    submitted: 'the same',
  }
  for (const [step, outcome] of Object.entries(OUTCOMES) as [Step, 'the same' | 'another'][]) {
    it(`creates one DID even if the process stalls after "${step}" and then continues`, async () => {
      let stalled = ''
      let goOn: () => void = () => undefined
      const resumed = new Promise<void>((resolve) => (goOn = resolve))
      const reached = new Promise<void>((resolve) => {
        provider.afterStep = async (reachedStep, did) => {
          if (reachedStep !== step) return
          stalled = did
          resolve()
          await resumed
        }
      })
      const standing = create(first)
      standing.catch(() => undefined)
      await reached
      const { here: there } = await start()
      const { did } = await create(again('taken-over'), there)
      assert.equal(did === stalled, outcome === 'the same')
      goOn()
      const ended = await standing.then(
        (identifier) => identifier.did,
        (error: unknown) =>
          hasCode('version_conflict', 'key_not_found')(error) ? did : assert.fail(String(error)),
      )
      assert.equal(ended, did)
      assert.deepEqual(
        (await runInAccountScope(account, () => there.agent.didManagerFind())).map((held) => held.did),
        [did],
      )
      assert.equal((await create(again('taken-over'), there)).did, did)
      assert.deepEqual((await countAll(there)).intent, undefined)
      // What the ledger received anyway has an owner in the end.
      ;(there.database as BlindDatabase).later = 60 * 60 * 1000
      await makeDue(there)
      await there.agent.didCreationRecover()
      const held = await runInAccountScope(account, () => there.agent.didManagerFind())
      for (const onLedger of ledger.dids.keys()) {
        assert.ok(
          held.some((each) => each.did === onLedger),
          onLedger,
        )
      }
    })
  }

  it('returns the DID whose outcome was unknown once the ledger responds again', async () => {
    let submitted = ''
    provider.afterStep = async (step, did) => {
      if (step !== 'submitted') return
      submitted = did
      ledger.down.forReading = true
      throw Object.assign(new Error('the ledger did not answer'), {
        name: 'AgentError',
        code: 'ledger_unavailable',
        details: [],
      })
    }
    await assert.rejects(create(first))
    provider.afterStep = async () => undefined
    const { here: there } = await start()
    await assert.rejects(create(again('given-up'), there), hasCode('unavailable'))
    ledger.down.forReading = false
    assert.equal((await create(again('given-up'), there)).did, submitted)
    assert.equal(await count(there, 'account_did'), 1)
  })

  it('is refused while the first one may still be in progress', async () => {
    provider.afterStep = async (step) => (step === 'recorded' ? never : undefined)
    void create(first).catch(() => undefined)
    while ((await count(here, 'intent')) === 0) await new Promise(setImmediate)
    // the same process: it knows that it is at it
    await assert.rejects(create(again('given-up')), hasCode('unavailable'))
  })

  it('returns the same API key with a new secret that nobody has seen', async () => {
    const { apiKeys } = here.accounts
    const make = (run: IdempotentRun) => inRun(run, () => apiKeys.create(account, { name: 'issuer' }))
    const lost = await make(first)
    const { apiKey, ...known } = await make(again('taken-over'))
    const { apiKey: lostKey, shown: _shown, ...same } = lost
    assert.deepEqual({ ...known, shown: undefined }, { ...same, shown: undefined })
    assert.equal(await here.accounts.authenticate(lostKey), undefined)
    assert.equal((await here.accounts.authenticate(apiKey))?.id, account.id)
    assert.equal((await apiKeys.page(account, {})).total, 1)
  })

  it('returns the same successor of an API key', async () => {
    const { apiKeys } = here.accounts
    const { id } = await apiKeys.create(account, { name: 'issuer' })
    const rotate = (run: IdempotentRun) => inRun(run, () => apiKeys.rotate(id, {}, { account }))
    const lost = await rotate(first)
    const { created, rotated } = await rotate(again('given-up'))
    assert.equal(created.id, lost.created.id)
    assert.deepEqual(rotated, lost.rotated)
    assert.notEqual(created.apiKey, lost.created.apiKey)
    assert.equal((await here.accounts.authenticate(created.apiKey))?.id, account.id)
    assert.equal((await apiKeys.page(account, {})).total, 2)
  })
})
