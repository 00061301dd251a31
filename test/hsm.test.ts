import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Accounts } from '@vidimus/accounts'
import { loadConfiguration, type Configuration } from '@vidimus/agent-config'
import type { Database } from '@vidimus/database'
import { sql } from '@vidimus/database'
import type { RemoteServer } from '@vidimus/remote-server'
import { Client } from './support/client.js'
import { OpaqueKeyManagementSystem } from './support/opaque-key-management-system.js'
import { assertRefused } from './support/refused.js'
import { createDid, createList } from './behaviour/suite.js'

const root = resolve(import.meta.dirname, '..')

describe('a KMS that never gives a private key away', () => {
  let folder: string
  let configuration: Configuration
  let database: Database
  let client: Client

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-hsm-'))
    const standard = await readFile(join(root, 'agent.yml'), 'utf8')
    const line =
      "  $require: '@vidimus/kms-node#NodeKeyManagementSystem'\n  $args: [{ $ref: /privateKeyStore }]\n"
    assert.ok(standard.includes(line), 'docs/hsm.md and this test name other lines than agent.yml')
    const kms = join(import.meta.dirname, 'support/opaque-key-management-system.ts')
    const file = join(folder, 'agent.yml')
    await writeFile(file, standard.replace(line, `  $require: '${kms}#OpaqueKeyManagementSystem'\n`))
    configuration = await loadConfiguration(file, {
      environment: { VIDIMUS_DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' },
      resolveFrom: [import.meta.url, `file://${join(root, 'packages/cli/build/index.js')}`],
    })
    const [accounts, server, built] = (await configuration.build('/accounts', '/server', '/database')) as [
      Accounts,
      RemoteServer,
      Database,
    ]
    database = built
    await configuration.start()
    const { url } = await server.listen()
    const firstKey = await accounts.firstStart()
    client = await Client.of(url, firstKey?.apiKey)
  })
  after(async () => {
    await configuration.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('creates DIDs, signs lists, credentials and presentations, and stores no private key', async () => {
    const did = await createDid(client)
    const list = await createList(client)
    const { changed } = (await client.ok('POST', '/credential-status/update/unencrypted', {
      query: { listType: 'BitstringStatusList', statusAction: 'revoke' },
      json: { ...list, indices: [42] },
    })) as { changed: number[] }
    assert.deepEqual(changed, [42])
    const credential = (await client.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, attributes: { degree: 'Master' } },
    })) as { proof: { jwt: string } }
    const presentation = (await client.ok('POST', '/presentation/create', {
      json: { credentials: [credential.proof.jwt], holderDid: did },
    })) as { proof: { jwt: string } }
    const { verified } = (await client.ok('POST', '/presentation/verify', {
      json: { presentation: presentation.proof.jwt },
    })) as { verified: boolean }
    assert.equal(verified, true)
    // Two DIDs, two versions of a list, a credential and a presentation.
    assert.ok(OpaqueKeyManagementSystem.signatures >= 6, String(OpaqueKeyManagementSystem.signatures))
    assert.deepEqual(await database.query(sql`SELECT alias FROM "private-key"`), [])
  })

  it('says so where a private key is to be imported', async () => {
    assertRefused(await client.post('/key/import', { json: { privateKeyHex: 'a7'.repeat(32) } }), {
      code: 'invalid_input',
      path: 'privateKeyHex',
      says: /takes no private keys from outside/,
    })
  })
})
