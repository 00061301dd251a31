import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@vidimus/database'
import { Client } from './support/client.js'
import { freshDatabase, PLACES } from './support/fresh-database.js'
import { openDatabase } from './support/open-database.js'
import { runVidimus, Service } from './support/service.js'
import { onVeramoDatabase, SECRET_BOX_KEY } from './support/veramo-database.js'

for (const place of PLACES) {
  describe(`vidimus migrate --from-veramo (${place})`, () => {
    let folder: string
    let source: string
    let url: string
    let kids: string[]
    let dids: string[]

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vidimus-from-veramo-'))
      ;[source, url] = [await freshDatabase(place), await freshDatabase(place)]
      await writeFile(join(folder, 'secret'), `${SECRET_BOX_KEY}\n`)
      await writeFile(join(folder, 'other'), `${'ab'.repeat(32)}\n`)
      await onVeramoDatabase(source, async (agent) => {
        const made = [
          await agent.didManagerCreate({ provider: 'did:key', alias: 'same' }),
          await agent.didManagerCreate({ provider: 'did:web', alias: 'same.example' }),
        ]
        const [, { did }] = made as [unknown, { did: string }]
        for (const [n, serviceEndpoint] of ['https://a.example', [{ uri: 'https://b.example' }]].entries())
          await agent.didManagerAddService({
            did,
            service: { id: `${did}#${n}`, type: 'LinkedDomains', serviceEndpoint },
          })
        const lone = await agent.keyManagerCreate({
          kms: 'local',
          type: 'Secp256k1',
          meta: { alias: 'label' },
        })
        dids = made.map((identifier) => identifier.did).sort()
        kids = [...made.flatMap(({ keys }) => keys), lone].map(({ kid }) => kid).sort()
      })
    })
    after(() => rm(folder, { recursive: true, force: true }))

    const options = () => ({ dataDirectory: folder, environment: { DATABASE_URL: url } })
    const copy = async (...args: string[]) =>
      JSON.parse(await runVidimus(['migrate', '--json', '--from-veramo', source, ...args], options())) as {
        keys: number
        dids: number
      }
    const withSecret = () => copy('--secret-file', join(folder, 'secret'))
    const fileOf = async () => (place === 'SQLite' ? readFile(source.slice('sqlite:'.length)) : undefined)

    it('needs the key of the SecretBox', async () => {
      await assert.rejects(copy(), /--secret-file names its key/)
      await assert.rejects(copy('--secret-file', join(folder, 'other')), /does not decrypt the private keys/)
    })

    it('copies keys and DIDs, which work here, and changes nothing there', async () => {
      const before = await fileOf()
      assert.deepEqual(await withSecret(), { keys: kids.length, dids: dids.length, account: 'default' })
      assert.deepEqual(await withSecret(), { keys: 0, dids: 0, account: 'default' })
      assert.deepEqual(await fileOf(), before)
      const service = await Service.start(options())
      try {
        const client = await Client.of(service.url, service.apiKey ?? assert.fail('no first API key'))
        const agent = (method: string, args: unknown) => client.ok('POST', `/agent/${method}`, { json: args })
        const held = (await agent('didManagerFind', {})) as { did: string; services: unknown[] }[]
        assert.deepEqual(held.map(({ did }) => did).sort(), dids)
        assert.deepEqual(held.map(({ services }) => services.length).sort(), [0, 2])
        for (const keyRef of kids) assert.ok(await agent('keyManagerSign', { keyRef, data: 'x' }))
        const [issuerDid] = dids.filter((did) => did.startsWith('did:key:'))
        await client.ok('POST', '/credential/issue', { json: { issuerDid, attributes: { a: 1 } } })
      } finally {
        await service.stop()
      }
    })

    it('refuses a key or DID that is there with other content, and then copies nothing', async () => {
      await onVeramoDatabase(source, async (agent) => {
        await agent.keyManagerCreate({ kms: 'local', type: 'Ed25519' })
        const [did = ''] = dids.filter((one) => one.startsWith('did:web:'))
        await agent.didManagerRemoveService({ did, id: `${did}#0` })
      })
      await assert.rejects(
        withSecret(),
        /the DID did:web:same.example is in the account already, with other content/,
      )
      const database = await openDatabase({ dataDirectory: folder, databaseUrl: url })
      const found = await database.query<{ kid: string }>(sql`SELECT kid FROM account_key ORDER BY kid`)
      await database.lifecycle.stop()
      assert.deepEqual(
        found.map(({ kid }) => kid),
        kids,
      )
    })
  })
}
