import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { bech32 } from '@scure/base'
import { LEFT_OUT } from '../packages/remote-server/src/rpc/method-list.js'
import { Client, type Answer as HttpAnswer } from './support/client.js'
import {
  METHODS,
  newPrivateKey,
  publicKeyHexOf,
  OPERATIONS,
  statusEntry,
  type Belongings,
  type CallWith,
  type Own,
  type Row,
} from './support/isolation-table.js'
import { Service } from './support/service.js'

const purpose = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
const alias = 'treasury'

/** Two accounts of one service: whatever one calls with what belongs to the other reads like what does not exist. */
describe('isolation of accounts', () => {
  let service: Service
  let owner: Client
  let stranger: Client
  let theirs: Belongings
  let nobodys: Belongings
  /** what is published, and in no account any more */
  let unheld: Belongings
  let own: Own
  let payment: string
  const call = async <Result = { did: string; kid: string }>(
    who: Client,
    method: string,
    args: unknown = {},
  ) => (await who.ok('POST', `/agent/${method}`, { json: args })) as Result

  before(async () => {
    service = await Service.start({
      configure: (text) =>
        text.replace(
          'agentMethods: [default]',
          `agentMethods: [default, ${Object.keys(LEFT_OUT).join(', ')}]`,
        ),
    })
    owner = await Client.of(service.url, service.apiKey)
    stranger = owner.as((await service.apiKeyOf('stranger')).apiKey)
    const mine = await call(stranger, 'didManagerCreate', { options: { network: 'testnet' } })
    theirs = await belongings()
    const left = await Promise.all(
      [{ provider: 'did:key' }, { options: { network: 'testnet' } }].map(async (args) => {
        const { did } = await call(owner, 'didManagerCreate', args)
        await call(owner, 'didManagerDelete', { did })
        return did
      }),
    )
    nobodys = {
      did: `did:cheqd:testnet:${randomUUID()}`,
      keyDid: left[0] ?? '',
      kid: publicKeyHexOf(newPrivateKey()),
      alias: 'nothing',
      service: 'did:cheqd:testnet:nobody#svc',
      statusListName: 'no-list',
      encryptedListName: 'no-encrypted-list',
      credential: '',
      resourceId: randomUUID(),
      versionId: randomUUID(),
      apiKeyId: randomUUID(),
      webhookId: randomUUID(),
    }
    unheld = { ...nobodys, did: left[1] ?? '' }
    const issue = (credentialStatus?: unknown) =>
      call<{ proof: { jwt: string } }>(stranger, 'credentialIssue', {
        issuerDid: mine.did,
        subjectDid: mine.did,
        attributes: { a: 1 },
        ...(credentialStatus !== undefined && { credentialStatus }),
      })
    theirs.credential = (await issue(statusEntry(theirs.did, theirs.statusListName))).proof.jwt
    nobodys.credential = (await issue(statusEntry(nobodys.did, nobodys.statusListName))).proof.jwt
    const credential = (await issue()).proof.jwt
    const presented = await call<{
      proof: { jwt: string }
    }>(stranger, 'presentationCreate', { credentials: [credential] })
    const jwe = await call<string>(stranger, 'keyManagerEncryptJWE', {
      kid: 'none',
      to: { kid: 'x', kms: 'local', type: 'X25519', publicKeyHex: 'cd'.repeat(32) },
      data: 'x',
    })
    own = { did: mine.did, credential, presentation: presented.proof.jwt, jwe }
  })
  after(() => service.stop())

  async function belongings(): Promise<Belongings> {
    const { kid } = await call(owner, 'keyManagerCreate', { kms: 'local', type: 'Ed25519' })
    const created = await call(owner, 'didManagerCreate', {
      alias,
      options: { network: 'testnet', publicKeyHex: kid },
    })
    const did = created.did
    const { did: keyDid } = await call(owner, 'didManagerCreate', { provider: 'did:key' })
    await call(owner, 'didManagerAddService', {
      did,
      service: { id: `${did}#svc`, type: 'LinkedDomains', serviceEndpoint: 'https://owner.test' },
    })
    const list = await call<{
      resourceMetadata: { resourceId: string }
    }>(owner, 'statusListCreate', {
      ...purpose,
      did,
      statusListName: 'secret-list',
    })
    await call(owner, 'statusListUpdate', {
      listType: purpose.listType,
      statusAction: 'revoke',
      did,
      statusListName: 'secret-list',
      indices: [5],
    })
    await call(owner, 'statusListCreate', { ...purpose, did, statusListName: 'sealed-list', encrypted: true })
    payment = await paid()
    const { id: webhookId } = (await owner.ok('POST', '/account/webhooks', {
      json: { url: 'https://receiver.example/' },
    })) as { id: string }
    const { id: apiKeyId } = (await owner.ok('POST', '/account/api-keys', { json: { name: 'second' } })) as {
      id: string
    }
    const resolved = await call<{
      didDocumentMetadata: { versionId: string }
    }>(owner, 'resolveDid', { didUrl: did })
    return {
      did,
      keyDid,
      kid,
      alias,
      service: `${did}#svc`,
      statusListName: 'secret-list',
      encryptedListName: 'sealed-list',
      credential: '',
      resourceId: list.resourceMetadata.resourceId,
      versionId: resolved.didDocumentMetadata.versionId,
      apiKeyId,
      webhookId,
    }
  }

  /** The owner pays for an encrypted list of a third account. @returns the id of the payment */
  async function paid(): Promise<string> {
    const third = owner.as((await service.apiKeyOf('third')).apiKey)
    const { did } = await call(third, 'didManagerCreate', { options: { network: 'testnet' } })
    const list = { did, statusListName: 'for-sale' }
    const feePaymentAddress = bech32.encode('cheqd', bech32.toWords(Buffer.alloc(20, 7)))
    await third.ok('POST', '/credential-status/create/encrypted', {
      query: purpose,
      json: { ...list, feePaymentAddress, feePaymentAmount: 1, feePaymentWindow: 10 },
    })
    await call(owner, 'statusListCheck', { ...purpose, ...list, index: 1, makeFeePayment: true })
    const payments = await call<{ id: string }[]>(owner, 'statusListPayments')
    assert.equal(payments.length, 1)
    return payments[0]?.id ?? ''
  }

  it('has a row for every operation of the API document', () => {
    const documented = Object.entries(owner.openApi.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    assert.deepEqual(Object.keys(OPERATIONS).sort(), documented.sort())
  })

  it('has a row for every method of the agent that can be called remotely', async () => {
    const { body } = await owner.get('/open-api.json')
    const documented = Object.keys((body as { 'x-methods': object })['x-methods'])
    assert.deepEqual(Object.keys(METHODS).sort(), documented.sort())
  })

  const rows: [title: string, Row][] = [
    ...Object.entries(OPERATIONS),
    ...Object.entries(METHODS).map(([method, row]): [string, Row] => [`POST /agent/${method}`, row]),
  ]
  for (const [title, row] of rows) {
    const [method = '', template = ''] = title.split(' ')
    const send = async (who: Client, { path = {}, ...request }: ReturnType<CallWith>) => {
      const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '')
      return who.call(method, filled, request)
    }
    const readsLike = async (request: CallWith, others: Belongings) => {
      const foreign = await send(stranger, request(theirs, own))
      const missing = await send(stranger, request(others, own))
      assert.deepEqual(anonymous(foreign, theirs), anonymous(missing, others))
      assert.notEqual(foreign.status, 500)
    }
    describe(title, () => {
      for (const [what, request] of Object.entries(row.foreign ?? {})) {
        it(`reads like what does not exist${what && `: ${what}`}`, async () => {
          await readsLike(request, nobodys)
        })
      }
      for (const [what, request] of Object.entries(row.unheld ?? {})) {
        it(`reads like what no account holds: ${what}`, async () => {
          await readsLike(request, unheld)
        })
      }
      for (const [what, request] of Object.entries(row.refused ?? {})) {
        it(`is refused${what && `: ${what}`}`, async () => {
          for (const belongings of [theirs, nobodys]) {
            const answer = await send(stranger, request(belongings, own))
            assert.equal(answer.status, 400, JSON.stringify(answer.body))
          }
        })
      }
      const { published, own: ofTheCaller, shared } = row
      if (published) {
        it('is the same for every account', async () => {
          const request = published(theirs, own)
          const answers = [await send(stranger, request), await send(owner, request)]
          assert.deepEqual(timeless(answers[0]), timeless(answers[1]))
          assert.equal(answers[0]?.status, 200)
        })
      }
      if (ofTheCaller) {
        it('names nothing of another account', async () => {
          const answer = await send(stranger, ofTheCaller(theirs, own))
          assert.equal(answer.status, 200)
          const text = JSON.stringify(answer.body)
          for (const value of [...texts(theirs), payment]) {
            if (value !== theirs.credential && value !== alias) assert.ok(!text.includes(value), value)
          }
        })
      }
      if (shared) {
        it('is there for each account by itself', async () => {
          for (const belongings of [theirs, nobodys]) {
            const answer = await send(stranger, shared(belongings, own))
            assert.equal(answer.status, 200, JSON.stringify(answer.body))
          }
        })
      }
    })
  }

  it('answers the idempotency key of another account as one that nobody has sent', async () => {
    const headers = { 'idempotency-key': 'shared-by-both' }
    const request = { json: { network: 'testnet' }, headers }
    const first = await owner.post('/did/create', request)
    const foreign = await stranger.post('/did/create', request)
    assert.deepEqual([foreign.status, foreign.headers.get('idempotency-replayed')], [200, null])
    assert.notEqual((foreign.body as { did: string }).did, (first.body as { did: string }).did)
    // nor does it tell that the other account has sent another request with it
    const key = await owner.post('/key/create', { headers: { 'idempotency-key': 'for-a-key' } })
    assert.equal(key.status, 200)
    const other = await stranger.post('/did/create', {
      ...request,
      headers: { 'idempotency-key': 'for-a-key' },
    })
    assert.equal(other.status, 200)
  })

  // In a suite of its own, as it comes after all of the above only there.
  describe('afterwards', () => {
    it('lets a stranger use the name of a service of theirs for one of his own', async () => {
      const { did } = await call(stranger, 'didManagerCreate', {
        provider: 'did:web',
        alias: 'stranger.test',
      })
      const service = { id: theirs.service, type: 'LinkedDomains', serviceEndpoint: 'https://stranger.test' }
      await call(stranger, 'didManagerAddService', { did, service })
      await call(stranger, 'didManagerRemoveService', { did, id: theirs.service })
    })

    it('changed nothing of what belongs to the owner', async () => {
      const { did, kid, keyDid, statusListName } = theirs
      const identifier = await call<{
        did: string
        keys: { kid: string }[]
        services: { id: string }[]
      }>(owner, 'didManagerGetByAlias', {
        alias,
        provider: 'did:cheqd',
      })
      assert.deepEqual(
        [identifier.did, identifier.keys.map((key) => key.kid), identifier.services.map(({ id }) => id)],
        [did, [kid], [theirs.service]],
      )
      assert.equal((await call(owner, 'didManagerGet', { did: keyDid })).did, keyDid)
      assert.ok(await call(owner, 'keyManagerSign', { keyRef: kid, data: 'x' }))
      const { results } = await call<{ results: { revoked: boolean }[] }>(owner, 'statusListCheck', {
        ...purpose,
        did,
        statusListName,
        indices: [1, 5, 7],
      })
      assert.deepEqual(
        results.map(({ revoked }) => revoked),
        [false, true, false],
      )
    })

    it('gives a key that two accounts import to both, and a deletion takes it from one', async () => {
      const privateKeyHex = newPrivateKey()
      const [{ kid } = { kid: '' }] = await Promise.all(
        [owner, stranger].map(
          async (who) =>
            (await who.ok('POST', '/key/import', { json: { privateKeyHex, alias: 'shared' } })) as {
              kid: string
            },
        ),
      )
      await call(stranger, 'keyManagerDelete', { kid })
      assert.equal((await stranger.get(`/key/read/${kid}`)).status, 404)
      assert.ok(await call(owner, 'keyManagerSign', { keyRef: kid, data: 'x' }))
      await stranger.ok('POST', '/key/import', { json: { privateKeyHex } })
      assert.ok(await call(stranger, 'keyManagerSign', { keyRef: kid, data: 'x' }))
    })

    it('gives a DID that two accounts import to both, and a deletion takes it from one', async () => {
      const privateKeyHex = newPrivateKey()
      const { kid } = (await owner.ok('POST', '/key/import', { json: { privateKeyHex } })) as { kid: string }
      const { did } = (await owner.ok('POST', '/did/create', { json: { network: 'testnet', key: kid } })) as {
        did: string
      }
      await stranger.ok('POST', '/did/import', { json: { did, keys: [{ type: 'Ed25519', privateKeyHex }] } })
      const issue = (who: Client) =>
        who.post('/credential/issue', { json: { issuerDid: did, subjectDid: did, attributes: { a: 1 } } })
      assert.deepEqual([(await issue(owner)).status, (await issue(stranger)).status], [200, 200])
      await call(stranger, 'didManagerDelete', { did })
      assert.deepEqual([(await issue(owner)).status, (await issue(stranger)).status], [200, 400])
    })

    it('lets both use the same alias and the same name of a list', async () => {
      for (const who of [owner, stranger]) {
        const { did } = await call(who, 'didManagerCreate', {
          alias: 'both',
          options: { network: 'testnet' },
        })
        await call(who, 'statusListCreate', { ...purpose, did, statusListName: 'both' })
        assert.equal(
          (await call(who, 'didManagerGetByAlias', { alias: 'both', provider: 'did:cheqd' })).did,
          did,
        )
      }
    })
  })
})

/** An answer without what differs by the identifiers that were sent. */
function anonymous({ status, body }: HttpAnswer, belongings: Belongings): unknown {
  const values = Object.entries({ ...belongings } as Record<string, string>).sort(
    ([, a], [, b]) => b.length - a.length,
  )
  const text = values.reduce(
    (shown, [name, value]) =>
      value === ''
        ? shown
        : shown.replaceAll(value, `<${name}>`).replaceAll(encodeURIComponent(value), `<${name}>`),
    JSON.stringify(withoutRequestId(body)),
  )
  return { status, body: JSON.parse(text) as unknown }
}

function timeless(answer: HttpAnswer | undefined): unknown {
  const text = JSON.stringify({ status: answer?.status, body: withoutRequestId(answer?.body) })
  return JSON.parse(text.replace(/"(retrieved|durationMs)":("[^"]*"|[\d.]+)/g, '"$1":0')) as unknown
}

function withoutRequestId(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { requestId: _requestId, ...others } = body as Record<string, unknown>
  return others
}

const texts = (belongings: Belongings): string[] => Object.values({ ...belongings } as Record<string, string>)
