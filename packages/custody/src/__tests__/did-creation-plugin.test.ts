import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { IIdentifier } from '@veramo/core-types'
import {
  AgentError,
  currentCaller,
  currentRequest,
  runInAccountScope,
  runInRequest,
  type Account,
} from '@vidimus/core-types'
import { sql, Sql } from '@vidimus/database'
import { PLACES } from '../../../../test/support/fresh-database.js'
import { until } from '../../../../test/support/until.js'
import { Ledger, LedgerLikeProvider, type Step } from './ledger-like-provider.js'
import {
  accountNamed,
  as,
  count,
  countAll,
  emptyDatabase,
  hasCode,
  install,
  makeDue,
  type Installation,
  removeFolder,
  temporaryFolder,
} from './set-up.js'

describe('DIDCreationPlugin', () => {
  let folder: string
  let ledger: Ledger
  let provider: LedgerLikeProvider
  let here: Installation
  let account: Account

  const open = () => install(folder, { providers: { 'did:test': provider }, resolvers: ledger.resolver })
  const create = (options: Record<string, unknown> = {}, alias = 'mine') =>
    as(account)(() => here.agent.didManagerCreate({ provider: 'did:test', alias, options }))
  const signs = (kid: string) => as(account)(() => here.agent.keyManagerSign({ keyRef: kid, data: 'x' }))
  /** What the one that is under way is to become. */
  const intended = async (): Promise<IIdentifier> => {
    const [row] = await here.database.query<{ payload: string }>(
      sql`SELECT payload FROM work_item WHERE kind = 'did-creation'`,
    )
    return (JSON.parse(row?.payload ?? '') as { identifier: IIdentifier }).identifier
  }
  /** Lets the creation hang where a process would die, and reopens the database. */
  const dieAfter = async (step: Step, alias = 'mine') => {
    await new Promise<void>((died) => {
      provider.afterStep = (reached) => {
        if (reached !== step) return Promise.resolve()
        died()
        return new Promise(() => undefined)
      }
      void create({}, alias)
    })
    await here.stop()
    provider = new LedgerLikeProvider(ledger)
    here = await open()
  }

  beforeEach(async () => {
    folder = await temporaryFolder()
    ledger = new Ledger()
    provider = new LedgerLikeProvider(ledger)
    here = await open()
    account = await accountNamed(here, 'one')
  })
  afterEach(async () => {
    await here.stop()
    await removeFolder(folder)
  })

  it('leaves nothing behind after a successful creation', async () => {
    const made = await create()
    assert.deepEqual(await as(account)(() => here.agent.didManagerGet({ did: made.did })), made)
    assert.equal(made.alias, 'mine')
    assert.equal(await count(here, 'intent'), 0)
    assert.deepEqual(await here.agent.didCreationRecover(), { completed: 0, undone: 0, left: 0 })
  })

  it('commits the keys before calling the ledger, and hides the DID until then', async () => {
    provider.afterStep = async (step, did) => {
      if (step !== 'recorded') return
      assert.equal(await count(here, 'private-key'), 1)
      await assert.rejects(
        here.unit.outside(() => as(account)(() => here.didStore.getDID({ did }))),
        hasCode('did_not_found'),
      )
    }
    await create()
  })

  describe('recovery after a crash', () => {
    it('has nothing to do without a recorded intent', async () => {
      await dieAfter('key made')
      assert.deepEqual(await here.agent.didCreationRecover(), { completed: 0, undone: 0, left: 0 })
      assert.deepEqual(await countAll(here), {})
    })

    it('undoes what the ledger never received', async () => {
      await dieAfter('recorded')
      assert.equal(await count(here, 'private-key'), 1)
      assert.deepEqual(await here.agent.didCreationRecover(), { completed: 0, undone: 1, left: 0 })
      assert.deepEqual(await countAll(here), {})
      await create()
    })

    it('completes what the ledger has', async () => {
      await dieAfter('submitted')
      assert.deepEqual(await here.agent.didCreationRecover(), { completed: 1, undone: 0, left: 0 })
      const [did] = ledger.dids.keys()
      const found = await as(account)(() => here.agent.didManagerGetByAlias({ alias: 'mine' }))
      assert.deepEqual([found.did, found.provider], [did, 'did:test'])
      await signs(found.controllerKeyId ?? '')
      assert.equal(await count(here, 'intent'), 0)
    })

    it('completes the creations of other accounts even if one cannot be completed, and reports that one', async () => {
      await dieAfter('submitted', 'one')
      const neighbour = await accountNamed(here, 'neighbour')
      const first = account
      account = neighbour
      await dieAfter('submitted', 'two')
      account = first
      const refusing = `CREATE TRIGGER refusing BEFORE UPDATE ON account_did WHEN NEW.account_id = '${first.id}'
        BEGIN SELECT RAISE(ABORT, 'the row is too large'); END`
      await here.unit.database.write((connection) => connection.run(new Sql([refusing], [])))
      assert.deepEqual(await here.agent.didCreationRecover(), { completed: 1, undone: 0, left: 1 })
      const found = await as(neighbour)(() => here.agent.didManagerGetByAlias({ alias: 'two' }))
      assert.ok(found.did)
    })

    it('leaves creations whose outcome is currently unknown', async () => {
      await dieAfter('submitted')
      ledger.down.forReading = true
      assert.deepEqual(await here.agent.didCreationRecover(), { completed: 0, undone: 0, left: 1 })
      ledger.down.forReading = false
      await makeDue(here)
      assert.deepEqual(await here.agent.didCreationRecover(), { completed: 1, undone: 0, left: 0 })
    })

    it('ends what it is at before its process stops', async () => {
      await dieAfter('recorded')
      const { test } = ledger.resolver
      let answer: () => void = () => undefined
      const answered = new Promise<void>((go) => (answer = go))
      const asked = new Promise<void>((reached) => {
        ledger.resolver.test = async (did) => {
          reached()
          await answered
          return test(did)
        }
      })
      await here.stop()
      here = await open()
      const recovery = here.agent.didCreationRecover()
      await asked
      const stopped = here.stop()
      answer()
      await recovery.catch(() => undefined)
      await stopped
      ledger.resolver.test = test
      here = await open()
      assert.equal(await count(here, 'intent'), 0)
    })

    it('does not block the alias', async () => {
      await dieAfter('recorded')
      await create()
      assert.equal(await count(here, 'private-key'), 1)
    })

    it('undoes a creation whose DID now belongs to somebody else', async () => {
      await dieAfter('recorded')
      const { did } = await intended()
      ledger.dids.set(did, 'ab'.repeat(32))
      assert.deepEqual(await here.agent.didCreationRecover(), { completed: 0, undone: 1, left: 0 })
      assert.deepEqual(await countAll(here), {})
    })
  })

  for (const place of PLACES) {
    it(`completes creations for their own account, even if triggered by a limited key (${place})`, async () => {
      await here.stop()
      const resolvers = { ...ledger.resolver, cheqd: ledger.resolver.test }
      const lookedUpBy: unknown[] = []
      const { test } = ledger.resolver
      resolvers.cheqd = (did) => {
        lookedUpBy.push([currentCaller(), currentRequest()])
        return test(did)
      }
      here = await install(folder, {
        url: await emptyDatabase(place),
        providers: { 'did:test': provider },
        resolvers,
        creation: { recoverEverySeconds: 1 },
      })
      account = await accountNamed(here, 'one')
      const limited = await accountNamed(here, 'limited')
      const unavailable = () => Promise.reject(new AgentError('ledger_unavailable', 'no node answers'))
      provider.afterStep = (step) => (step === 'submitted' ? unavailable() : Promise.resolve())
      ledger.down.forReading = true
      const dids = ['mainnet', 'testnet'].map((network) => `did:cheqd:${network}:${randomUUID()}`)
      await assert.rejects(create({ did: dids[0] }), hasCode('ledger_unavailable'))
      const grant = { id: 'limited key', networks: ['testnet' as const] }
      const origin = { requestId: 'limited request', address: '203.0.113.9' }
      const inRequest = <T>(work: () => Promise<T>) =>
        runInRequest({ requestId: origin.requestId }, () =>
          runInAccountScope({ ...limited, grant }, work, origin),
        )
      await assert.rejects(
        inRequest(() =>
          here.agent.didManagerCreate({ provider: 'did:test', alias: 'theirs', options: { did: dids[1] } }),
        ),
        hasCode('ledger_unavailable'),
      )
      lookedUpBy.length = 0
      ledger.down.forReading = false
      await until(async () => (await count(here, 'intent')) === 0)
      for (const [who, did] of [
        [account, dids[0]],
        [limited, dids[1]],
      ] as const) {
        assert.equal((await as(who)(() => here.agent.didManagerGet({ did: did ?? '' }))).did, did)
      }
      assert.ok(lookedUpBy.length >= 2)
      assert.deepEqual(new Set(lookedUpBy.flat()), new Set([undefined]))
      const audited = await here.database.query<Record<string, unknown>>(
        sql`SELECT account_id, api_key_id, address, request_id FROM audit_event WHERE event = 'did-created'
          ORDER BY account_id`,
      )
      const alone = { api_key_id: null, address: null, request_id: null }
      assert.deepEqual(
        audited.map((row) => ({ ...row })),
        [account.id, limited.id].sort().map((id) => ({ account_id: id, ...alone })),
      )
    })
  }

  it('does not undo a DID that was imported during recovery', async () => {
    await dieAfter('recorded')
    const identifier = await intended()
    const resolve = ledger.resolver.test
    ledger.resolver.test = async (did) => {
      const answer = await resolve(did)
      await as(account)(() => here.didStore.importDID({ ...identifier, provider: 'did:test' }))
      return answer
    }
    await here.stop()
    here = await open()
    await here.agent.didCreationRecover()
    const found = await as(account)(() => here.agent.didManagerGetByAlias({ alias: 'mine' }))
    await signs(found.controllerKeyId ?? '')
  })

  it('leaves a creation to its process while that is alive, whatever its pid and host', async () => {
    const other = await open()
    let release: () => void = () => undefined
    const blocked = new Promise<void>((resolve) => (release = resolve))
    const recorded = new Promise<void>((resolve) => {
      provider.afterStep = async (step) => {
        if (step !== 'recorded') return
        resolve()
        await blocked
      }
    })
    const made = create()
    await recorded
    assert.deepEqual(await other.agent.didCreationRecover(), { completed: 0, undone: 0, left: 1 })
    await assert.rejects(
      as(account)(() => other.agent.didManagerCreate({ provider: 'did:test', alias: 'mine' })),
      hasCode('alias_taken'),
    )
    release()
    await signs((await made).controllerKeyId ?? '')
    await other.stop()
  })

  describe('recovery after a failure', () => {
    const failing = (error: Error, options: { written?: boolean } = {}) => {
      const submit = async (did: string, publicKeyHex: string) => {
        if (options.written) ledger.dids.set(did, publicKeyHex)
        throw error
      }
      Object.assign(provider, { submit })
    }

    it('leaves nothing if the failure precedes the intent', async () => {
      provider.afterStep = async () => {
        throw new Error('no')
      }
      await assert.rejects(create(), /^Error: no$/)
      assert.deepEqual(await countAll(here), {})
    })

    for (const [name, error] of [
      ['a refusal of the ledger', new AgentError('ledger_rule', 'no')],
      ['any other error if the ledger has no such DID', new TypeError('no')],
    ] as const) {
      it(`undoes ${name}`, async () => {
        failing(error)
        await assert.rejects(create(), error)
        assert.deepEqual(await countAll(here), {})
      })
    }

    for (const error of [
      new TypeError('after the answer'),
      new AgentError('did_taken', 'by our own first submission'),
    ]) {
      it(`completes what the ledger accepted in spite of: ${error.message}`, async () => {
        failing(error, { written: true })
        await assert.rejects(create(), error)
        const found = await as(account)(() => here.agent.didManagerGetByAlias({ alias: 'mine' }))
        await signs(found.controllerKeyId ?? '')
        assert.equal(await count(here, 'intent'), 0)
      })
    }

    for (const written of [true, false]) {
      it(`keeps everything while the outcome is unknown (${written ? '' : 'not '}written)`, async () => {
        failing(new AgentError('ledger_unavailable', 'no answer in time'), { written })
        await assert.rejects(create(), hasCode('ledger_unavailable'))
        assert.deepEqual([await count(here, 'private-key'), await count(here, 'intent')], [1, 1])
        assert.deepEqual(await as(account)(() => here.agent.didManagerFind()), [])
        await makeDue(here)
        const outcome = await here.agent.didCreationRecover()
        assert.deepEqual(outcome, { completed: written ? 1 : 0, undone: written ? 0 : 1, left: 0 })
      })
    }

    it('never deletes a key that existed before', async () => {
      const { kid } = await as(account)(() => here.agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' }))
      failing(new AgentError('ledger_rule', 'no'))
      await assert.rejects(create({ kid }), hasCode('ledger_rule'))
      await signs(kid)
      assert.equal(await count(here, 'account_did'), 0)
    })

    it('never deletes a key that another DID now uses', async () => {
      provider.afterStep = async (step) => {
        if (step !== 'recorded') return
        const [key] = await as(account)(() => here.keyStore.listKeys())
        await here.unit.outside(() =>
          as(account)(() =>
            here.didStore.importDID({ did: 'did:web:a', provider: 'did:web', keys: [key!], services: [] }),
          ),
        )
      }
      failing(new AgentError('ledger_rule', 'no'))
      await assert.rejects(create(), hasCode('ledger_rule'))
      const other = await as(account)(() => here.agent.didManagerGet({ did: 'did:web:a' }))
      await signs(other.keys[0]?.kid ?? '')
    })
  })

  it('checks alias and DID before calling the ledger', async () => {
    await create({ did: 'did:test:1' })
    const submitted = ledger.dids.size
    await assert.rejects(create({}, 'mine'), hasCode('alias_taken'))
    await assert.rejects(create({ did: 'did:test:1' }, 'other'), hasCode('did_taken'))
    assert.equal(ledger.dids.size, submitted)
    assert.equal(await count(here, 'private-key'), 1)
  })

  it('does not disturb a creation in progress when another one wants its DID or alias', async () => {
    let release: () => void = () => undefined
    const blocked = new Promise<void>((resolve) => (release = resolve))
    const recorded = new Promise<void>((resolve) => {
      provider.afterStep = async (step, did) => {
        if (step !== 'recorded' || did !== 'did:test:1') return
        resolve()
        await blocked
      }
    })
    const first = create({ did: 'did:test:1' }, 'first')
    await recorded
    await assert.rejects(create({ did: 'did:test:1' }, 'second'), hasCode('did_taken'))
    assert.deepEqual(await here.agent.didCreationRecover(), { completed: 0, undone: 0, left: 1 })
    release()
    const { controllerKeyId } = await first
    await signs(controllerKeyId ?? '')
  })

  it('lets two accounts create under the same alias concurrently', async () => {
    const two = await accountNamed(here, 'two')
    const made = await Promise.all(
      [account, two].map((owner) =>
        as(owner)(() => here.agent.didManagerCreate({ provider: 'did:test', alias: 'mine' })),
      ),
    )
    assert.equal(new Set(made.map(({ did }) => did)).size, 2)
  })

  it('does not mistake inherited property names for a KMS or provider', async () => {
    const { agent } = here
    for (const name of ['constructor', 'toString', '__proto__']) {
      await as(account)(async () => {
        await assert.rejects(
          agent.keyManagerCreate({ kms: name, type: 'Ed25519' }),
          (error: AgentError) =>
            error.code === 'invalid_input' && error.message.includes('is not one of local'),
        )
        await assert.rejects(
          agent.didManagerCreate({ provider: name, kms: 'local' }),
          hasCode('unknown_provider'),
        )
      })
    }
  })

  it('stores no private key in the intent', async () => {
    ledger.down.forReading = true
    Object.assign(provider, {
      submit: async () => {
        throw new AgentError('ledger_unavailable', 'no')
      },
    })
    const key = { kid: 'k', kms: 'local', type: 'Ed25519', privateKeyHex: 'a7'.repeat(32) } as const
    await as(account)(async () => {
      const { publicKeyHex } = await here.agent.keyManagerImport(key)
      await here.agent.didCreationRecord({
        identifier: { did: 'did:test:x', keys: [{ ...key, publicKeyHex }], services: [] },
      })
    })
    assert.ok(!JSON.stringify(await intended()).includes('a7a7'))
  })
})
