import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from './support/client.js'
import { assertRefused } from './support/refused.js'
import { Service } from './support/service.js'

const PROVIDERS = "            did:key:\n              $require: '@vidimus/did-methods#KeyDIDProvider'\n"
const RESOLVERS = "      key:\n        $require: '@vidimus/did-methods?t=function&p=/key#getKeyDidResolver'\n"

/** A DID method of another author, in a service that knows of it by two places in agent.yml alone. */
describe('an external DID method', () => {
  let service: Service
  let client: Client
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'did-folder-'))
    service = await Service.start({
      configure: (text) =>
        text
          .replace(
            PROVIDERS,
            [
              '            did:folder:',
              "              $require: '@vidimus-examples/did-method#FolderDIDProvider'",
              `              $args: [{ folder: '${folder}', defaultKms: local }]`,
              PROVIDERS,
            ].join('\n'),
          )
          .replace(
            RESOLVERS,
            [
              '      folder:',
              "        $require: '@vidimus-examples/did-method?t=function&p=/folder#getFolderDidResolver'",
              `        $args: [{ folder: '${folder}' }]`,
              RESOLVERS,
            ].join('\n'),
          ),
    })
    client = await Client.of(service.url, service.apiKey)
  })
  after(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  it('creates, changes, signs and resolves like any other', async () => {
    const { did } = (await client.ok('POST', '/did/create', { json: { providerId: 'did:folder' } })) as {
      did: string
    }
    assert.deepEqual(await readdir(folder), [`${did.slice('did:folder:'.length)}.json`])
    const service = { id: 'web', type: 'LinkedDomains', serviceEndpoint: 'https://acme.test' }
    await client.ok('POST', '/agent/didManagerAddService', { json: { did, service } })
    const { didDocument } = (await client.ok('GET', `/did/search/${did}`)) as {
      didDocument: { service: { id: string }[] }
    }
    assert.deepEqual(
      didDocument.service.map(({ id }) => id),
      [`${did}#web`],
    )
    const { proof } = (await client.ok('POST', '/credential/issue', {
      json: { issuerDid: did, subjectDid: did, attributes: { name: 'Bob' } },
    })) as { proof: { jwt: string } }
    const verified = (await client.ok('POST', '/credential/verify', { json: { credential: proof.jwt } })) as {
      verified: boolean
      issuer: string
    }
    assert.deepEqual([verified.verified, verified.issuer], [true, did])
  })

  it('reports unsupported operations', async () => {
    const { did } = (await client.ok('POST', '/did/create', { json: { providerId: 'did:folder' } })) as {
      did: string
    }
    const key = await client.ok('POST', '/agent/keyManagerCreate', {
      json: { kms: 'local', type: 'Secp256k1' },
    })
    const answer = await client.post('/agent/didManagerAddKey', { json: { did, key } })
    assertRefused(answer, { code: 'invalid_input', says: /must be Ed25519/ })
  })
})
