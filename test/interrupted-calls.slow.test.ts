import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Accounts } from '@vidimus/accounts'
import type { DIDCreationRecovery } from '@vidimus/custody'
import { loadConfiguration, type Configuration } from '@vidimus/agent-config'
import type { AnyAgent } from '@vidimus/core-types'
import { sql } from '@vidimus/database'
import type { RemoteServer } from '@vidimus/remote-server'
import { Client, type Request } from './support/client.js'
import { emptyInstallation, PLACES } from './support/fresh-database.js'
import { HALF_DONE } from './support/half-done.js'
import type { InterruptedDatabase } from './support/interrupted-database.js'
import { outsideKey } from './support/outside-key.js'
import { createList, freshName } from './behaviour/suite.js'

const root = resolve(import.meta.dirname, '..')
const DAY = 24 * 60 * 60 * 1000

/** The whole service in this process, on a database that can be interrupted. */
interface Here {
  configuration: Configuration
  database: InterruptedDatabase
  agent: AnyAgent
  client: Client
}

async function start(folder: string, url: string, apiKey?: string): Promise<Here & { apiKey: string }> {
  const standard = await readFile(join(root, 'agent.yml'), 'utf8')
  const module = join(import.meta.dirname, 'support/interrupted-database.ts')
  const changed = standard
    .replace("'@vidimus/database#Database'", `'${module}#InterruptedDatabase'`)
    .replace('recoverEverySeconds: 60', 'recoverEverySeconds: 3600')
  const file = join(folder, 'agent.yml')
  await writeFile(file, changed)
  const configuration = await loadConfiguration(file, {
    environment: { VIDIMUS_DATA_DIR: folder, DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'silent' },
    resolveFrom: [import.meta.url, `file://${join(root, 'packages/cli/build/index.js')}`],
  })
  const [agent, accounts, server, database] = (await configuration.build(
    '/agent',
    '/accounts',
    '/server',
    '/database',
  )) as [AnyAgent, Accounts, RemoteServer, InterruptedDatabase]
  await configuration.start()
  const { url: address } = await server.listen()
  const key = (await accounts.firstStart())?.apiKey ?? apiKey ?? ''
  return { configuration, database, agent, client: await Client.of(address, key), apiKey: key }
}

const recover = async ({ agent }: Here): Promise<DIDCreationRecovery> => {
  const outcome = await agent.execute<object, DIDCreationRecovery>('didCreationRecover', {})
  assert.equal(outcome.left, 0)
  return outcome
}

/**
 * Nothing is half there: neither with an owner and without a key, nor the other way round.
 *
 * @param seen - DIDs that were looked at before, to which new ones are added
 */
async function assertWhole({ database, client }: Here, seen: Set<string>): Promise<void> {
  for (const [what, statement] of Object.entries({
    ...HALF_DONE,
    'a change of a ledger that is looked for, or an undone creation': sql`SELECT key FROM work_item
      WHERE kind IN ('ledger-change', 'did-creation')`,
    'a private key of an undone creation': sql`SELECT alias FROM "private-key" WHERE alias LIKE 'undone:%'`,
  })) {
    assert.deepEqual(await database.query(statement), [], what)
  }
  const { dids } = (await client.ok('GET', '/did/list', { query: { limit: '1000' } })) as { dids: string[] }
  for (const did of dids) {
    if (did.startsWith('did:cheqd:') && !seen.has(did)) await sign(client, did)
    seen.add(did)
  }
}

const sign = (client: Client, did: string) =>
  client.ok('POST', '/credential/issue', {
    json: { issuerDid: did, subjectDid: did, attributes: { a: 1 } },
  })

const countOf = async ({ database }: Here, table: 'account_key' | 'account_did') => {
  const statement =
    table === 'account_key'
      ? sql`SELECT COUNT(*) AS n FROM account_key`
      : sql`SELECT COUNT(*) AS n FROM account_did`
  const [row] = await database.query<{ n: number }>(statement)
  return Number(row?.n)
}

interface Call {
  path: string
  request: (here: Here) => Promise<Request>
  /** the rows that an acknowledged call adds */
  adds: { account_key: number; account_did: number }
}

const CALLS: Record<string, Call> = {
  'creating a DID': {
    path: '/did/create',
    request: async () => ({ json: { network: 'testnet' } }),
    adds: { account_key: 1, account_did: 1 },
  },
  'creating a DID with an existing key': {
    path: '/did/create',
    request: async ({ client }) => {
      const { kid } = (await client.ok('POST', '/key/create')) as { kid: string }
      return { json: { network: 'testnet', key: kid } }
    },
    adds: { account_key: 0, account_did: 1 },
  },
  'importing a DID': {
    path: '/did/import',
    request: async () => {
      const { jwk, privateKeyHex } = outsideKey()
      const did = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
      return { json: { did, keys: [{ type: 'Ed25519', privateKeyHex }] } }
    },
    adds: { account_key: 1, account_did: 1 },
  },
  'creating a key': {
    path: '/key/create',
    request: async () => ({ json: { alias: freshName('key') } }),
    adds: { account_key: 1, account_did: 0 },
  },
}

const HOW = [
  { when: 'before', forGood: false },
  { when: 'after', forGood: false },
  { when: 'before', forGood: true },
  { when: 'after', forGood: true },
] as const

// Another process takes over in the same way whatever the call was: one of them is enough, which leaves most to take over.
const FULLEST = 'creating a DID'
const IN_ONE_PROCESS = HOW.filter(({ forGood }) => !forGood)

for (const place of PLACES) {
  describe(`a call interrupted at each database access (${place})`, () => {
    let folder: string
    let url: string
    let here: Here & { apiKey: string }
    const seen = new Set<string>()
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vidimus-interrupted-'))
      url = await emptyInstallation(place)
      here = await start(folder, url)
    })
    after(async () => {
      await here.configuration.stop()
      await rm(folder, { recursive: true, force: true })
    })

    /** As if its process had died: another one takes over. */
    const replace = async () => {
      await here.configuration.stop()
      here = await start(folder, url, here.apiKey)
    }
    const settleForGood = async () => {
      await recover(here)
      here.database.later = 2 * DAY
      await recover(here)
      here.database.later = 0
    }

    for (const [title, { path, request, adds }] of Object.entries(CALLS)) {
      for (const { when, forGood } of title === FULLEST ? HOW : IN_ONE_PROCESS) {
        it(`${title}: all or nothing, ${when} the COMMIT, ${forGood ? 'in the next process' : 'in the same process'}`, async function () {
          for (let at = 1; ; at += 1) {
            const asked = await request(here)
            const [keys, dids] = [await countOf(here, 'account_key'), await countOf(here, 'account_did')]
            here.database.interrupt({ at, when, forGood })
            const { status, body } = await here.client.post(path, asked)
            const { interrupted } = here.database
            here.database.restore()
            const where = `at access ${at}: ${status} ${JSON.stringify(body)}`
            assert.ok([200, 503].includes(status), where)
            if (forGood && interrupted) await replace()
            await settleForGood()
            await assertWhole(here, seen)
            const added = {
              account_key: (await countOf(here, 'account_key')) - keys,
              account_did: (await countOf(here, 'account_did')) - dids,
            }
            if (status === 200) assert.deepEqual(added, adds, where)
            else if (added.account_did + added.account_key > 0) assert.deepEqual(added, adds, where)
            if (!interrupted) {
              assert.equal(status, 200, where)
              assert.ok(at > 3, where)
              return
            }
          }
        })
      }
    }

    it('creating a list: complete with its index, or repeatable', async function () {
      const { did } = await createList(here.client)
      for (const when of ['before', 'after'] as const) {
        // Once it is acknowledged, later interruptions are not part of it.
        for (let [at, acknowledged] = [1, 0]; acknowledged < 3; at += 1) {
          const list = { did, statusListName: freshName('list') }
          const query = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
          const create = () =>
            here.client.post('/credential-status/create/unencrypted', { query, json: list })
          here.database.interrupt({ at, when, forGood: false })
          const { status, body } = await create()
          here.database.restore()
          assert.ok([200, 503].includes(status), `at access ${at}: ${status} ${JSON.stringify(body)}`)
          if (status === 200) acknowledged += 1
          const again = await create()
          assert.ok(
            status === 200 ? again.status !== 200 : [200, 409, 400].includes(again.status),
            String(at),
          )
          await here.client.ok('POST', '/credential-status/check', { query, json: { ...list, indices: [0] } })
          await here.client.ok('POST', '/credential/issue', {
            json: { issuerDid: did, subjectDid: did, attributes: { a: 1 }, credentialStatus: { ...list } },
          })
        }
      }
    })
  })
}
