import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from '@vidimus/core-types'
import { isAgentError } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import { Ledger } from './ledger-like-provider.js'
import {
  accountNamed,
  as,
  count,
  install,
  removeFolder,
  temporaryFolder,
  type Installation,
} from './set-up.js'

const CLIENTS = 20
const CALLS = 30

describe('acknowledged writes', () => {
  let folder: string
  let here: Installation

  beforeEach(async () => {
    folder = await temporaryFolder()
    here = await install(folder)
  })
  afterEach(async () => {
    await here.stop()
    await removeFolder(folder)
  })

  /**
   * Every key has its private half and its owner, every DID its keys, and each of them signs. A creation that the
   * killed process began, and the ledger never got, is undone: its private key is kept for a while, in no account.
   */
  const isWhole = async (installation: Installation, accounts: readonly Account[]) => {
    for (const account of accounts) {
      for (const { keys } of await as(account)(() => installation.agent.didManagerFind())) {
        assert.ok(keys.length > 0)
        for (const { kid } of keys) {
          await as(account)(() => installation.agent.keyManagerSign({ keyRef: kid, data: 'x' }))
        }
      }
    }
    for (const statement of [
      sql`SELECT COUNT(*) AS n FROM "private-key" p LEFT JOIN account_private_key a ON a.stored_alias = p.alias
        LEFT JOIN account_key k ON k.account_id = a.account_id AND k.kid = a.alias
        WHERE k.kid IS NULL AND p.alias NOT LIKE 'undone:%'`,
      sql`SELECT COUNT(*) AS n FROM "key" k LEFT JOIN account_key a ON a.stored_kid = k.kid
        LEFT JOIN account_private_key p ON p.account_id = a.account_id AND p.alias = a.kid WHERE p.alias IS NULL`,
      sql`SELECT COUNT(*) AS n FROM service s LEFT JOIN account_service a ON a.stored_id = s.id WHERE a.id IS NULL`,
    ]) {
      assert.deepEqual(await installation.database.query(statement), [{ n: 0 }])
    }
  }

  it('survive alias collisions of 20 clients and failing imports', async () => {
    const accounts = [await accountNamed(here, 'one'), await accountNamed(here, 'two')]
    const acknowledged: { account: Account; did: string; alias: string }[] = []
    let refused = 0
    const client = async (n: number) => {
      const account = accounts[n % 2]!
      for (let call = 0; call < CALLS; call += 1) {
        const alias = `alias ${(n * 7 + call * 3) % 400}`
        try {
          const { did } = await as(account)(() => here.agent.didManagerCreate({ alias }))
          acknowledged.push({ account, did, alias })
        } catch (error) {
          assert.ok(isAgentError(error) && error.code === 'alias_taken', String(error))
          refused += 1
        }
      }
    }
    const failingImports = async () => {
      for (let n = 0; n < CALLS; n += 1) {
        const key = {
          kid: `bad ${n}`,
          kms: 'local',
          type: 'Ed25519',
          privateKeyHex: 'a7'.repeat(32),
        } as const
        const services = [{ id: '', type: 'x', serviceEndpoint: 'x' }]
        await assert.rejects(
          as(accounts[0]!)(() =>
            here.agent.didManagerImport({
              did: `did:web:bad${n}`,
              provider: 'did:web',
              keys: [key],
              services,
            }),
          ),
        )
      }
    }
    await Promise.all([...Array.from({ length: CLIENTS }, (_, n) => client(n)), failingImports()])

    assert.ok(refused > 0)
    assert.equal(acknowledged.length + refused, CLIENTS * CALLS)
    for (const { account, did, alias } of acknowledged) {
      const found = await as(account)(() => here.agent.didManagerGet({ did }))
      assert.equal(found.alias, alias)
    }
    assert.equal(await count(here, 'account_did'), acknowledged.length)
    assert.equal(await count(here, 'private-key'), acknowledged.length)
    await isWhole(here, accounts)
  })

  it('all survive concurrent changes of one DID', async () => {
    const account = await accountNamed(here, 'one')
    const { did } = await as(account)(() => here.agent.didManagerCreate())
    const options = { localOnly: true }
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        as(account)(async () => {
          const service = { id: `#${n}`, type: 'x', serviceEndpoint: 'https://a.example' }
          await here.agent.didManagerAddService({ did, service, options })
          if (n % 3 === 0) await here.agent.didManagerRemoveService({ did, id: `#${n}`, options })
        }),
      ),
    )
    const { services } = await as(account)(() => here.agent.didManagerGet({ did }))
    assert.equal(services.length, 20)
  })

  it('result in one DID for concurrent calls that get or create it', async () => {
    const account = await accountNamed(here, 'one')
    const dids = await Promise.all(
      Array.from({ length: 20 }, () =>
        as(account)(async () => (await here.agent.didManagerGetOrCreate({ alias: 'mine' })).did),
      ),
    )
    assert.equal(new Set(dids).size, 1)
    assert.equal(await count(here, 'key'), 1)
  })

  it('survive concurrent first calls on a new database', async () => {
    const fresh = await temporaryFolder()
    const opened = await install(fresh)
    const account = await opened.accounts.create('one')
    const made = await Promise.all(
      Array.from({ length: 20 }, () => as(account)(() => opened.agent.didManagerCreate())),
    )
    for (const { did } of made) await as(account)(() => opened.agent.didManagerGet({ did }))
    await opened.stop()
    await removeFolder(fresh)
  })

  it('survive a killed process, with every DID of the ledger and no orphaned key', async () => {
    await here.stop()
    const process = spawn(
      globalThis.process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'killed-process.ts'), folder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let acknowledged = ''
    process.stdout.setEncoding('utf8')
    for await (const text of process.stdout) {
      acknowledged += String(text)
      if (acknowledged.split('\n').length > 60) process.kill('SIGKILL')
    }
    if (process.exitCode === null && process.signalCode === null) await once(process, 'exit')
    assert.equal(process.signalCode, 'SIGKILL')

    const ledger = new Ledger()
    const lines = (await readFile(join(folder, 'ledger'), 'utf8'))
      .split('\n')
      .filter((line) => line.endsWith('.'))
    for (const line of lines) {
      const [did = '', publicKeyHex = ''] = line.slice(0, -1).split(' ')
      ledger.dids.set(did, publicKeyHex)
    }
    const { LedgerLikeProvider } = await import('./ledger-like-provider.js')
    here = await install(folder, {
      providers: { 'did:test': new LedgerLikeProvider(ledger) },
      resolvers: ledger.resolver,
    })
    const outcome = await here.agent.didCreationRecover()
    assert.equal(outcome.left, 0)
    const account = await here.accounts.get('one')
    for (const did of [...acknowledged.split('\n').slice(0, -1), ...ledger.dids.keys()]) {
      await as(account)(() => here.agent.didManagerGet({ did }))
    }
    assert.equal(await count(here, 'intent'), 0)
    assert.equal(
      await count(here, 'private-key'),
      (await as(account)(() => here.agent.didManagerFind())).length,
    )
    await isWhole(here, [account])
  })
})
