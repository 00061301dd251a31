import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { asDid, type OpenTransaction } from '@vidimus/core-types'
import { accountRows } from '../../packages/custody/src/account-rows.js'
import { startingConfiguration, type Choices } from '../../packages/cli/src/starting-configuration.js'
import type { Client } from './client.js'
import { emptyInstallation, type Place } from './fresh-database.js'
import { ServiceHere } from './service-here.js'
import { until } from './until.js'

const PUBLIC_URL = 'https://status.example.com'
const LIST_TYPES = ['TokenStatusList', 'BitstringStatusList', 'StatusList2021'] as const
const FORMS = ['statuslist+jwt', 'statuslist+cwt', 'vc+jwt', 'vc', 'vc+ld+json', 'json']

interface Created {
  statusListId: string
  resourceMetadata: { resourceId: string; resourceType: string }
}

/** The configuration of a service that publishes, and looks often whether it must. */
export const publishing =
  (publish: Choices['publish'], keepVersions = 0) =>
  (text: string) =>
    startingConfiguration({ database: 'sqlite', cheqd: [], kms: 'local', publish }, text)
      .replace('keepVersions: 0', `keepVersions: ${keepVersions}`)
      .replace('prefixes: {}', "prefixes: { issuer: [teams, status-lists, '1.0', _headers, .vidimus] }")

export async function startOn(
  place: Place,
  environment: Record<string, string>,
  publish: Choices['publish'],
  keep = 0,
) {
  const service = await ServiceHere.start({
    url: await emptyInstallation(place),
    listen: true,
    environment: { VIDIMUS_PUBLIC_URL: PUBLIC_URL, ...environment },
    configure: publishing(publish, keep),
  })
  return { service, client: await service.clientOf('issuer') }
}

export const didOf = async (client: Client, json: object = { network: 'testnet' }) =>
  ((await client.ok('POST', '/did/create', { json })) as { did: string }).did

export async function listOf(client: Client, did: string, listType: string, fields: object = {}) {
  const created = (await client.ok('POST', '/credential-status/create/unencrypted', {
    query: { listType, statusPurpose: 'revocation' },
    json: { did, statusListName: `a ${listType}`, ...fields },
  })) as Created
  return { ...created, did, listType, statusListName: `a ${listType}` }
}

type List = Awaited<ReturnType<typeof listOf>>

export const revoke = async (client: Client, list: List, index: number) =>
  (await client.ok('POST', '/credential-status/update/unencrypted', {
    query: { listType: list.listType, statusAction: 'revoke' },
    json: { did: list.did, statusListName: list.statusListName, indices: [index], publication: 'wait' },
  })) as Created & { publication?: string }

export const served = async (client: Client, path: string, accept = '') => {
  const response = await fetch(client.url + path, { headers: { accept, 'accept-encoding': 'identity' } })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    cache: response.headers.get('cache-control'),
    body: Buffer.from(await response.arrayBuffer()),
  }
}

const didUrlOf = ({ did, statusListName, resourceMetadata: { resourceType } }: List) =>
  `${did}?resourceName=${encodeURIComponent(statusListName)}&resourceType=${resourceType}`

/** What a folder has of what a service publishes. */
export const publishesIntoFolder = (place: Place): void => {
  describe(`static publication in a folder (${place})`, () => {
    let folder: string
    let service: ServiceHere
    let client: Client
    let did: string
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vidimus-published-'))
      ;({ service, client } = await startOn(place, { VIDIMUS_PUBLISH_DIRECTORY: folder }, 'directory', 3))
      did = await didOf(client)
    })
    after(async () => {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const read = (path: string) => readFile(join(folder, path))
    const isThere = (path: string) =>
      read(path).then(
        () => true,
        () => false,
      )

    it('has every form of a list that the service serves, at both addresses, byte for byte', async () => {
      for (const listType of LIST_TYPES) {
        const list = await listOf(
          client,
          did,
          listType,
          listType === 'StatusList2021' ? {} : { ttl: 300_000 },
        )
        assert.equal((await revoke(client, list, 7)).publication, 'done')
        const path = `status-lists/${list.statusListId}`
        let forms = 0
        for (const form of FORMS) {
          const answer = await served(client, `/${path}`, `application/${form}`)
          if (answer.status === 406) {
            assert.equal(await isThere(`${path}.${form}`), false, form)
            continue
          }
          forms += 1
          assert.deepEqual(await read(`${path}.${form}`), answer.body, `${listType} ${form}`)
          if (!form.endsWith('cwt'))
            assert.deepEqual(gunzipSync(await read(`${path}.${form}.gz`)), answer.body)
        }
        assert.ok(forms > 0)
        const usual = await served(client, `/${path}`)
        assert.deepEqual(await read(path), usual.body)
        assert.deepEqual(await read(`1.0/identifiers/${didUrlOf(list)}`), usual.body)
        const map = (await read('.vidimus/nginx-http-2-cache.conf')).toString()
        const said = map.split('\n').find((line) => line.includes(`/${path}.`))
        assert.equal(said?.includes(usual.cache ?? ''), usual.cache === 'public, no-cache' ? undefined : true)
      }
    })

    it('has DID documents, alone and as resolution results', async () => {
      const own = await didOf(client)
      const path = `1.0/identifiers/${own}`
      await until(() => isThere(`${path}.did-resolution`))
      const document = await served(client, `/${path}`)
      assert.deepEqual(await read(path), document.body)
      const without = (body: Buffer) => {
        const result = JSON.parse(body.toString()) as { didResolutionMetadata: { retrieved: string } }
        assert.match(result.didResolutionMetadata.retrieved, /^\d{4}-.*Z$/)
        return { ...result, didResolutionMetadata: { ...result.didResolutionMetadata, retrieved: '' } }
      }
      const result = await served(
        client,
        `/${path}`,
        'application/ld+json;profile="https://w3id.org/did-resolution"',
      )
      assert.deepEqual(without(await read(`${path}.did-resolution`)), without(result.body))
      await client.ok('POST', `/did/deactivate/${own}`)
      await until(async () => !(await isThere(path)))
      const { didDocumentMetadata } = JSON.parse((await read(`${path}.did-resolution`)).toString()) as {
        didDocumentMetadata: { deactivated: boolean }
      }
      assert.equal(didDocumentMetadata.deactivated, true)
    })

    it('lists the newest lists of a DID in its metadata', async () => {
      const own = await didOf(client)
      const list = await listOf(client, own, 'TokenStatusList')
      const { resourceMetadata } = await revoke(client, list, 1)
      await until(async () =>
        (await read(`1.0/identifiers/${own}.did-resolution`)).includes(resourceMetadata.resourceId),
      )
    })

    it('has the aggregation of all publishers, and of each of them', async () => {
      const own = await didOf(client)
      const list = await listOf(client, own, 'TokenStatusList', { address: 'https' })
      const url = `${PUBLIC_URL}/status-lists/${list.statusListId}`
      await until(
        async () =>
          (await isThere(`status-lists/aggregation?did=${own}`)) &&
          (await read('status-lists/aggregation')).includes(url),
      )
      const answer = await served(client, `/status-lists/aggregation?did=${own}`)
      assert.deepEqual(await read(`status-lists/aggregation?did=${own}`), answer.body)
      assert.deepEqual(JSON.parse(answer.body.toString()), { status_lists: [url] })
      const block = `/status-lists/${list.statusListId}\n  content-type: application/statuslist+jwt\n`
      await until(async () => (await read('_headers')).includes(block))
    })

    it('lists no list in _headers that is identified by its DID URL', async () => {
      const list = await listOf(client, await didOf(client), 'BitstringStatusList')
      await revoke(client, list, 1)
      assert.equal((await read('_headers')).includes(list.statusListId), false)
    })

    it('keeps as many versions as configured, each at its own address', async () => {
      const list = await listOf(client, await didOf(client), 'BitstringStatusList')
      const ids = [list.resourceMetadata.resourceId]
      for (const index of [1, 2, 3, 4])
        ids.push((await revoke(client, list, index)).resourceMetadata.resourceId)
      const kept = await readdir(join(folder, `1.0/identifiers/${list.did}.resources`))
      assert.deepEqual(kept.filter((name) => !name.includes('.')).sort(), ids.slice(-3).sort())
      const [newest = ''] = ids.slice(-1)
      const answer = await served(client, `/1.0/identifiers/${list.did}/resources/${newest}`)
      assert.deepEqual(await read(`1.0/identifiers/${list.did}.resources/${newest}`), answer.body)
      assert.equal(answer.cache, 'public, max-age=31536000, immutable')
    })

    it('has did:web documents under the public URL while they are held, and never at conflicting paths', async () => {
      const create = (id: string) =>
        client.post('/did/create', {
          json: { providerId: 'did:web', didDocument: { id }, options: { keyType: 'Ed25519' } },
        })
      const under = 'did:web:status.example.com'
      assert.equal((await create(`${under}:teams:one`)).status, 200)
      await until(() => isThere('teams/one/did.json'))
      assert.deepEqual(
        await read('teams/one/did.json'),
        (await published(client, '/teams/one/did.json')).body,
      )
      for (const path of [
        'status-lists:aggregation',
        '1.0:x',
        '_headers',
        '.vidimus',
        'teams:one:did.json',
      ]) {
        assert.equal((await create(`${under}:${path}`)).status, 200, path)
      }
      assert.equal((await create(`${under}:teams:two`)).status, 200)
      await until(() => isThere('teams/two/did.json'))
      assert.deepEqual(
        (await readdir(join(folder, 'teams/one'))).filter((name) => !name.startsWith('did.json')),
        [],
      )
      assert.deepEqual((await readdir(folder)).sort(), [
        '.vidimus',
        '1.0',
        '_headers',
        'status-lists',
        'teams',
      ])
    })

    it('has no did:web document of a deleted DID or account', async () => {
      const leaving = await service.clientOf('leaving')
      const under = 'did:web:status.example.com:leaving'
      for (const did of [`${under}:one`, `${under}:two`]) {
        const json = { providerId: 'did:web', didDocument: { id: did }, options: { keyType: 'Ed25519' } }
        await leaving.ok('POST', '/did/create', { json })
      }
      await until(
        async () => (await isThere('leaving/one/did.json')) && (await isThere('leaving/two/did.json')),
      )
      const answer = await leaving.post('/agent/didManagerDelete', { json: { did: `${under}:one` } })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      await until(async () => !(await isThere('leaving/one/did.json')))
      const markDid = (transaction: OpenTransaction, gone: string) =>
        service.publication.mark(transaction, { kind: 'did', did: asDid(gone) })
      await service.accounts.deletion(accountRows({ database: service.database, markDid })).run('leaving')
      await until(async () => !(await isThere('leaving/two/did.json')))
    })

    it('is checked for completeness and repaired', async () => {
      const list = await listOf(client, await didOf(client), 'TokenStatusList')
      await revoke(client, list, 3)
      const path = `status-lists/${list.statusListId}`
      await service.publication.publishAll()
      assert.deepEqual((await service.publication.verify()).differences, [])
      await writeFile(join(folder, `${path}.statuslist+jwt`), 'x')
      await rm(join(folder, `${path}.statuslist+cwt`))
      const { differences } = await service.publication.verify()
      assert.deepEqual(
        differences
          .filter((one) => one.path.startsWith(path))
          .map(({ path: at, found }) => [at.slice(path.length), found]),
        [
          ['.statuslist+jwt', 'different'],
          ['', 'different'],
          ['.statuslist+cwt', 'missing'],
        ],
      )
      assert.equal((await service.publication.publishAll()).left, 0)
      assert.deepEqual((await service.publication.verify()).differences, [])
    })

    it('never goes back to an older version', async () => {
      const list = await listOf(client, await didOf(client), 'TokenStatusList')
      await revoke(client, list, 3)
      const path = `status-lists/${list.statusListId}`
      const ahead = JSON.stringify({ id: 'x', time: new Date(Date.now() + 3_600_000).toISOString() })
      await writeFile(join(folder, `.vidimus/versions/${path}`), ahead)
      const before = await read(path)
      const failures = await service.publicationFailures()
      const waiting = revoke(client, list, 4)
      await until(async () => (await service.publicationFailures()) > failures)
      assert.deepEqual(await read(path), before)
      await rm(join(folder, `.vidimus/versions/${path}`))
      await waiting
      await until(async () => !(await read(path)).equals(before))
    })

    it('catches up after a write failure, while the service continues', async () => {
      const list = await listOf(client, await didOf(client), 'TokenStatusList')
      const path = `status-lists/${list.statusListId}`
      await until(() => isThere(path))
      const before = await read(path)
      const unfinished = join(folder, '.vidimus/unfinished')
      await rename(unfinished, `${unfinished}-aside`)
      const failures = await service.publicationFailures()
      const waiting = revoke(client, list, 5)
      await until(async () => (await service.publicationFailures()) > failures)
      await rename(`${unfinished}-aside`, unfinished)
      await waiting
      await until(async () => !(await read(path)).equals(before))
    })
  })
}

/** With the host that did:web DIDs name. */
async function published(client: Client, path: string): Promise<{ body: Buffer }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, client.url), { headers: { host: 'status.example.com' } }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('end', () => resolve({ body: Buffer.concat(parts) }))
    })
    sent.on('error', reject)
    sent.end()
  })
}
