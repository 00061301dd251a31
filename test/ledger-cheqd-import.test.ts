import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CheqdPublisher, type ForeignKey } from './support/cheqd-publisher.js'
import { CheqdSetup } from './support/cheqd-setup.js'
import { Client, type Answer } from './support/client.js'
import { encrypted, older2021, olderBitstring, type OlderList } from './support/older-lists.js'
import { outsideKey } from './support/outside-key.js'
import { assertRefused } from './support/refused.js'
import { Service } from './support/service.js'
import { until } from './support/until.js'

const UPDATE = '/credential-status/update/unencrypted'
const CHECK = '/credential-status/check'
const STUDIO_MESSAGES = ['issued', 'revoked', 'suspended', 'unknown'].map((message, value) => ({
  status: `0x${value.toString(16)}`,
  message,
}))

/** Layouts in which earlier software published lists, and the changes made to them. */
const LISTS: Record<string, { list: OlderList; action: string; value: number; purpose: string }> = {
  'a StatusList2021 for revocation': revoking(older2021('revocation', 'base64url')),
  'a StatusList2021 for revocation, in hex': revoking(older2021('revocation', 'hex')),
  'a StatusList2021 for suspension, in hex': {
    list: older2021('suspension', 'hex'),
    action: 'suspend',
    value: 1,
    purpose: 'suspension',
  },
  'a two-bit BitstringStatusList': revoking(
    olderBitstring(['revocation', 'suspension'], { statusSize: 2, statusMessages: STUDIO_MESSAGES }),
  ),
  'a BitstringStatusList without a stated width': {
    list: olderBitstring(['revocation', 'suspension'], { statusMessages: STUDIO_MESSAGES }),
    action: 'suspend',
    value: 2,
    purpose: 'suspension',
  },
  'a one-bit BitstringStatusList with four messages': revoking(
    olderBitstring('revocation', { statusSize: 1, statusMessages: STUDIO_MESSAGES }),
  ),
  'a four-bit BitstringStatusList with custom states': {
    list: olderBitstring('message', { statusSize: 4, statusMessages: statesOf(4) }),
    action: 'state 13',
    value: 13,
    purpose: 'message',
  },
  'an eight-bit BitstringStatusList with custom states': {
    list: olderBitstring('message', { statusSize: 8, statusMessages: statesOf(8) }),
    action: '0xb2',
    value: 0xb2,
    purpose: 'message',
  },
}

function statesOf(statusSize: number) {
  return Array.from({ length: 2 ** statusSize }, (_, n) => ({
    status: `0x${n.toString(16)}`,
    message: `state ${n}`,
  }))
}

function revoking(list: OlderList) {
  return { list, action: 'revoke', value: 1, purpose: 'revocation' }
}

interface Updated {
  changed: number[]
  resourceMetadata: { resourceId: string; previousVersionId: string | null }
}
interface Checked {
  results: { index: number; status: number }[]
}

describe('a DID published on a cheqd network by other software', function () {
  let networks: CheqdSetup
  let service: Service
  let client: Client
  let publisher: CheqdPublisher
  before(async () => {
    networks = await CheqdSetup.start()
    const { configure, environment } = networks
    service = await Service.start({ configure, environment })
    client = await Client.of(service.url, service.apiKey)
  })
  after(async () => {
    await service.stop()
    await networks.stop()
  })
  beforeEach(async () => {
    publisher = await CheqdPublisher.start(networks.nodes.testnet)
  })

  const given = ({ type, privateKeyHex }: ForeignKey) => ({ type, privateKeyHex })
  const importDid = (body: object) => client.post('/did/import', { json: body })
  const importWithKeys = async ({
    did,
    keys,
  }: Pick<CheqdPublisher, 'did'> & { keys: readonly ForeignKey[] } = publisher) => {
    const { status, body } = await importDid({ did, keys: keys.map(given) })
    assert.equal(status, 200, JSON.stringify(body))
  }
  const update = (name: string, list: OlderList, statusAction: string, indices: number[]) =>
    client.post(UPDATE, {
      query: { listType: list.listType, statusAction },
      json: { did: publisher.did, statusListName: name, indices },
    })
  const updated = ({ status, body }: Answer): Updated => {
    assert.equal(status, 200, JSON.stringify(body))
    return body as Updated
  }
  const statuses = async (name: string, list: OlderList, statusPurpose: string, indices: number[]) => {
    const body = (await client.ok('POST', CHECK, {
      query: { listType: list.listType, statusPurpose },
      json: { did: publisher.did, statusListName: name, indices },
    })) as Checked
    return body.results.map(({ status }) => status)
  }
  /** What anybody can read from the network. */
  const versionOf = async (resourceId: string): Promise<{ content: unknown; text: string }> => {
    const { status, body } = await client.get(`/1.0/identifiers/${publisher.did}/resources/${resourceId}`, {
      apiKey: null,
    })
    assert.equal(status, 200)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return { content: JSON.parse(text) as unknown, text }
  }
  /** how many versions of resources the network has */
  const versions = () =>
    networks.nodes.testnet.chain.messages.filter(
      ({ executed, message }) => executed && message.typeUrl.endsWith('MsgCreateResource'),
    ).length
  const newestOf = async (statusListName: string, { listType }: OlderList) => {
    const { resourceMetadata } = (await client.ok('GET', '/credential-status/search', {
      query: { listType, did: publisher.did, statusListName },
    })) as Updated
    return resourceMetadata
  }
  const dids = async () => ((await client.ok('GET', '/did/list')) as { dids: string[] }).dids

  describe('can be imported', () => {
    it('with keys of all method types, in every form', async () => {
      const { did, keys } = publisher
      const [first, second, third, fourth] = keys
      const forms = [
        { privateKeyHex: first.privateKeyHex },
        { type: 'Secp256r1', privateKeyHex: second.privateKeyHex.toUpperCase(), alias: randomUUID() },
        { type: 'Ed25519', privateKeyHex: third.privateKeyHex + third.publicKeyHex },
        { type: 'Ed25519', privateKeyHex: fourth.privateKeyHex, encrypted: false },
      ]
      const { status, body } = await importDid({ did, keys: forms, controllerKeyId: third.publicKeyHex })
      assert.equal(status, 200, JSON.stringify(body))
      const result = body as { did: string; controllerKeyId: string; keys: { publicKeyHex: string }[] }
      assert.equal(result.did, did)
      assert.equal(result.controllerKeyId, third.publicKeyHex)
      assert.deepEqual(
        result.keys.map(({ publicKeyHex }) => publicKeyHex).sort(),
        keys.map(({ publicKeyHex }) => publicKeyHex).sort(),
      )
      assert.ok(!service.log.includes(first.privateKeyHex))
    })

    it('with each of its keys alone, which then signs messages to the network', async () => {
      for (const [n, key] of publisher.keys.entries()) {
        const other = await CheqdPublisher.start(networks.nodes.testnet)
        const own = other.keys[n]
        assert.ok(own)
        const list = older2021('revocation', 'base64url')
        await other.publish('list', list.resourceType, list.content({}))
        const { status } = await importDid({ did: other.did, keys: [given(own)] })
        assert.equal(status, 200, key.type)
        const answer = await client.post(UPDATE, {
          query: { listType: list.listType, statusAction: 'revoke' },
          json: { did: other.did, statusListName: 'list', indices: [1] },
        })
        assert.deepEqual(updated(answer).changed, [1])
      }
    })

    it('with a key that the account imported before', async () => {
      const [key] = publisher.keys
      await client.ok('POST', '/key/import', { json: given(key) })
      assert.equal((await importDid({ did: publisher.did })).status, 200)
    })

    it('and changed, visibly to others', async () => {
      await importWithKeys()
      await client.ok('POST', '/1.0/update', {
        json: {
          did: publisher.did,
          didDocumentOperation: ['addToDidDocument'],
          didDocument: [{ service: [{ id: '#files', type: 'Files', serviceEndpoint: 'https://a.example' }] }],
        },
      })
      const { body } = await client.get(`/1.0/identifiers/${publisher.did}`, {
        apiKey: null,
        headers: { accept: 'application/did+ld+json' },
      })
      assert.match(JSON.stringify(body), /#files/)
      const { verificationMethod } = publisher.document()
      for (const { id } of verificationMethod) assert.ok(JSON.stringify(body).includes(id))
    })
  })

  describe('cannot be imported, and none of its keys is kept,', () => {
    const stranger = () => ({ privateKeyHex: outsideKey().privateKeyHex })
    const cases: Record<
      string,
      { body: () => Promise<object> | object; refusal: Parameters<typeof assertRefused>[1] }
    > = {
      'with a foreign key': {
        body: () => ({ did: publisher.did, keys: [...publisher.keys.map(given), stranger()] }),
        refusal: { code: 'key_mismatch', path: 'keys[4].privateKeyHex' },
      },
      'with a wrongly declared key type': {
        body: () => ({
          did: publisher.did,
          keys: [{ type: 'Secp256r1', privateKeyHex: publisher.keys[0].privateKeyHex }],
        }),
        refusal: { path: 'keys[0].privateKeyHex' },
      },
      'without a key': {
        body: () => ({ did: publisher.did }),
        refusal: { code: 'key_not_found', path: 'keys' },
      },
      'with a missing controlling key': {
        body: () => ({
          did: publisher.did,
          keys: [given(publisher.keys[0])],
          controllerKeyId: publisher.keys[1].publicKeyHex,
        }),
        refusal: { code: 'key_mismatch', path: 'controllerKeyId' },
      },
      'if the network does not know it': {
        body: () => ({ did: `did:cheqd:testnet:${randomUUID()}`, keys: publisher.keys.map(given) }),
        refusal: { code: 'did_not_resolvable', path: 'did' },
      },
      'if it lives on the other network': {
        body: () => ({
          did: publisher.did.replace('testnet', 'mainnet'),
          keys: publisher.keys.map(given),
        }),
        refusal: { code: 'did_not_resolvable', path: 'did' },
      },
      'if no such network is configured': {
        body: () => ({ did: publisher.did.replace('testnet', 'devnet'), keys: publisher.keys.map(given) }),
        refusal: { code: 'did_not_resolvable', path: 'did' },
      },
      'if it is deactivated': {
        body: async () => {
          await publisher.deactivate()
          return { did: publisher.did, keys: publisher.keys.map(given) }
        },
        refusal: { code: 'did_deactivated', path: 'did' },
      },
    }
    for (const [title, { body, refusal }] of Object.entries(cases)) {
      it(title, async () => {
        const before = await dids()
        const answer = await importDid(await body())
        assertRefused(answer, refusal)
        for (const { privateKeyHex } of publisher.keys) {
          assert.ok(!JSON.stringify(answer.body).includes(privateKeyHex))
        }
        assert.deepEqual(await dids(), before)
        for (const { publicKeyHex } of publisher.keys) {
          assert.equal((await client.get(`/key/read/${publicKeyHex}`)).status, 404)
        }
      })
    }

    it('while its node is down', async () => {
      const { testnet } = networks.nodes
      await testnet.stop()
      try {
        const { status } = await importDid({ did: publisher.did, keys: publisher.keys.map(given) })
        assert.equal(status, 503)
      } finally {
        await testnet.open()
      }
      await until(async () => (await client.get('/health/ready', { apiKey: null })).status === 200)
      await importWithKeys()
    })
  })

  describe('with lists in older layouts:', () => {
    for (const [title, { list, action, value, purpose }] of Object.entries(LISTS)) {
      it(`${title} is read and updated in place`, async () => {
        const published = list.content({ 3: 1, 131_071: 1 })
        const first = await publisher.publish('list', list.resourceType, published)
        await importWithKeys()
        assert.deepEqual(await statuses('list', list, purpose, [0, 3, 7, 131_071]), [0, 1, 0, 1])

        const { changed, resourceMetadata } = updated(await update('list', list, action, [7, 131_070]))
        assert.deepEqual(changed, [7, 131_070])
        assert.equal(resourceMetadata.previousVersionId, first)
        const { content, text } = await versionOf(resourceMetadata.resourceId)
        assert.deepEqual(
          [0, 3, 6, 7, 8, 131_070, 131_071].map((index) => list.valueAt(content, index)),
          [0, 1, 0, value, 0, value, 1],
        )
        // Nothing but the bits is another, not even the order of the members.
        const withoutBits = (json: string) => json.replace(/"encodedList":"[^"]*"/, '')
        assert.equal(withoutBits(text), withoutBits(JSON.stringify(published)))
        assert.deepEqual(await statuses('list', list, purpose, [3, 7, 8]), [1, value, 0])

        const again = updated(await update('list', list, action, [9]))
        assert.equal(again.resourceMetadata.previousVersionId, resourceMetadata.resourceId)
      })
    }

    it('a StatusList2021 in padded base64 is read, and written in base64url', async () => {
      const list = older2021('revocation', 'base64')
      await publisher.publish('list', list.resourceType, list.content({ 3: 1 }))
      await importWithKeys()
      const { resourceMetadata } = updated(await update('list', list, 'revoke', [4]))
      const { content } = await versionOf(resourceMetadata.resourceId)
      const asUrl = older2021('revocation', 'base64url')
      assert.deepEqual(
        [2, 3, 4].map((index) => asUrl.valueAt(content, index)),
        [0, 1, 1],
      )
    })

    for (const list of [older2021('revocation', 'base64url'), olderBitstring('revocation', {})]) {
      it(`a ${list.listType} encrypted with a foreign key stays closed and unchanged`, async () => {
        await publisher.publish('list', list.resourceType, encrypted(list))
        await importWithKeys()
        const before = versions()
        assertRefused(await update('list', list, 'revoke', [1]), { code: 'list_encrypted' })
        const ownKind = await client.post('/credential-status/update/encrypted', {
          query: { listType: list.listType, statusAction: 'revoke' },
          json: { did: publisher.did, statusListName: 'list', indices: [1] },
        })
        assertRefused(ownKind, { code: 'list_encrypted', says: /encrypted by another service/ })
        const check = await client.post(CHECK, {
          query: { listType: list.listType, statusPurpose: 'revocation' },
          json: { did: publisher.did, statusListName: 'list', index: 1 },
        })
        assertRefused(check, { code: 'list_encrypted' })
        assert.equal(versions(), before)
      })
    }

    it('an unreadable list is reported and not overwritten', async () => {
      const list = olderBitstring('revocation', { statusSize: 2 })
      await publisher.publish('list', list.resourceType, { bitstring: 'unheard of' })
      await importWithKeys()
      const before = versions()
      assertRefused(await update('list', list, 'revoke', [1]), { status: 400, code: 'malformed_list' })
      assert.equal(versions(), before)
    })
  })

  it('can be managed further with the commands of the documentation', async () => {
    const page = await readFile(join(import.meta.dirname, '../docs/cheqd.md'), 'utf8')
    const [, section = ''] = /^## DIDs and lists that other software.*?\n(.*?)^## /ms.exec(page) ?? []
    const commands = [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block)
    assert.equal(commands.length, 2)
    const list = older2021('revocation', 'base64url')
    await publisher.publish('employees', list.resourceType, list.content({ 3: 1 }))
    const [key] = publisher.keys
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-documented-'))
    const { stdout } = await promisify(execFile)('bash', ['-e', '-c', commands.join('')], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        V: service.url,
        KEY: service.apiKey,
        DID: publisher.did,
        PRIVATE_KEY_HEX: key.privateKeyHex,
        LIST: 'employees',
        TYPE: list.listType,
      },
    })
    assert.deepEqual(await readdir(folder), [])
    await rm(folder, { recursive: true })
    assert.match(
      stdout,
      /"controllerKeyId".*"found":true.*"changed":\[94567\].*"checked":true.*"revoked":true/s,
    )
    const { resourceId } = await newestOf('employees', list)
    assert.equal(list.valueAt((await versionOf(resourceId)).content, 94_567), 1)
  })

  describe('used elsewhere at the same time:', () => {
    const list = olderBitstring(['revocation', 'suspension'], {
      statusSize: 2,
      statusMessages: STUDIO_MESSAGES,
    })
    const newest = async () => {
      const { body } = await client.get(
        `/1.0/identifiers/${publisher.did}?resourceName=list&resourceType=${list.resourceType}`,
        { apiKey: null },
      )
      return typeof body === 'string' ? (JSON.parse(body) as unknown) : body
    }

    it('foreign versions published since our last update are kept', async () => {
      await publisher.publish('list', list.resourceType, list.content({ 3: 1 }))
      await importWithKeys()
      updated(await update('list', list, 'revoke', [7]))
      const foreign = await publisher.publish('list', list.resourceType, list.content({ 3: 1, 7: 1, 20: 2 }))
      const { resourceMetadata } = updated(await update('list', list, 'revoke', [8]))
      assert.equal(resourceMetadata.previousVersionId, foreign)
      assert.deepEqual(await statuses('list', list, 'revocation', [3, 7, 8, 20]), [1, 1, 1, 2])
    })

    /** Both have their versions in one block, theirs first. */
    const inOneBlock = async (theirs: () => Promise<string>, ours: () => Promise<Answer>) => {
      const { testnet } = networks.nodes
      const held = testnet.misbehave('holdTransaction')
      const foreign = theirs()
      await until(() => testnet.pending.length === 1)
      const own = ours()
      await until(() => testnet.pending.length === 2)
      held.stop()
      const [foreignId, answer] = await Promise.all([foreign, own])
      return { foreignId, answer }
    }

    it('foreign versions published in the same block as our update are kept', async () => {
      await publisher.publish('list', list.resourceType, list.content({ 3: 1 }))
      await importWithKeys()
      const before = versions()
      const changed = { ...list.content({ 3: 1, 20: 1, 21: 2 }), addedBy: 'the other software' }
      const { foreignId, answer } = await inOneBlock(
        () => publisher.publish('list', list.resourceType, changed),
        () => update('list', list, 'revoke', [8]),
      )
      const { resourceMetadata, changed: ours } = updated(answer)
      assert.deepEqual(ours, [8])
      // theirs, ours on top of it, and the one that holds both
      assert.equal(versions(), before + 3)
      assert.notEqual(resourceMetadata.previousVersionId, foreignId)
      assert.deepEqual(await statuses('list', list, 'revocation', [3, 8, 20, 21]), [1, 1, 1, 2])
      assert.equal(((await newest()) as { addedBy?: string }).addedBy, 'the other software')
    })

    it('foreign revocations in the same block as our update are kept', async () => {
      await publisher.publish('list', list.resourceType, list.content({}))
      await importWithKeys()
      const { answer } = await inOneBlock(
        () => publisher.publish('list', list.resourceType, list.content({ 8: 1 })),
        () => update('list', list, 'suspend', [8]),
      )
      assertRefused(answer, { code: 'irreversible', path: 'indices[0]' })
      assert.deepEqual(await statuses('list', list, 'revocation', [8]), [1])
    })

    it('foreign additions to its document in the same block as our change are kept', async () => {
      await importWithKeys()
      const files = (name: string) => ({
        id: `${publisher.did}#${name}`,
        serviceEndpoint: ['https://a.example'],
      })
      const { answer } = await inOneBlock(
        () =>
          publisher
            .replaceDocument({
              service: [
                {
                  ...files('theirs'),
                  serviceType: 'Files',
                  recipientKeys: [],
                  routingKeys: [],
                  accept: [],
                  priority: 0,
                },
              ],
            })
            .then(() => ''),
        () =>
          client.post('/1.0/update', {
            json: {
              did: publisher.did,
              didDocumentOperation: ['addToDidDocument'],
              didDocument: [{ service: [{ ...files('ours'), type: 'Files' }] }],
            },
          }),
      )
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      const { body } = await client.get(`/1.0/identifiers/${publisher.did}`, { apiKey: null })
      const { service: services } = (body as { didDocument: { service: { id: string }[] } }).didDocument
      assert.deepEqual(
        services.map(({ id }) => id.split('#')[1]),
        ['theirs', 'ours'],
      )
    })

    it('its keys are replaced', async () => {
      await publisher.publish('list', list.resourceType, list.content({}))
      const [, kept] = publisher.keys
      assert.equal((await importDid({ did: publisher.did, keys: [given(kept)] })).status, 200)
      const { verificationMethod, authentication } = publisher.document()
      await publisher.replaceDocument({
        verificationMethod: verificationMethod.filter((_, n) => n !== 1),
        authentication: authentication.filter((_, n) => n !== 1),
      })
      const before = versions()
      assertRefused(await update('list', list, 'revoke', [1]), { code: 'key_not_found' })
      assert.equal(versions(), before)
      // and continues with one that it has
      await importWithKeys({ did: publisher.did, keys: publisher.keys.filter((_, n) => n !== 1) })
      updated(await update('list', list, 'revoke', [1]))
    })

    it('it is deactivated', async () => {
      await publisher.publish('list', list.resourceType, list.content({ 3: 1 }))
      await importWithKeys()
      await publisher.deactivate()
      const before = versions()
      assertRefused(await update('list', list, 'revoke', [1]), { code: 'did_deactivated' })
      assert.equal(versions(), before)
      assertRefused(await importDid({ did: publisher.did, keys: publisher.keys.map(given) }), {
        code: 'did_deactivated',
      })
      const { status } = await client.get(`/1.0/identifiers/${publisher.did}`, { apiKey: null })
      assert.equal(status, 410)
    })
  })
})
