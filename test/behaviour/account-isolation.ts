import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { bech32 } from '@scure/base'
import { Sql } from '@vidimus/database'
import {
  asDid,
  asListName,
  hashListId,
  listUrl,
  placeText,
  type StatusListLocation,
} from '@vidimus/core-types'
import { LEFT_OUT } from '../../packages/remote-server/src/rpc/method-list.js'
import { Client, type Answer as HttpAnswer } from '../support/client.js'
import {
  METHODS,
  REGISTERED_INDEX,
  newPrivateKey,
  publicKeyHexOf,
  OPERATIONS,
  statusEntry,
  type Belongings,
  type CallWith,
  type Own,
  type Row,
} from '../support/isolation-table.js'
import {
  HIDDEN_ARGUMENTS,
  kindsOf,
  namingArguments,
  unsaidArguments,
  withArgument,
  type ArgumentPath,
  type NamedKind,
  type Schema,
  type Schemas,
} from '../support/naming-arguments.js'
import { emptyInstallation, type Place } from '../support/fresh-database.js'
import { scanning } from '../support/growing-scans.js'
import { statementsWithoutHome, tablesWithHome } from '../support/statements-without-home.js'
import { inSeveralHomes, recordedIn, recording } from '../support/recorded-statements.js'
import { Service } from '../support/service.js'
import { unboundStatements } from '../support/unbound-statements.js'

const purpose = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }
const revoke = { listType: purpose.listType, statusAction: 'revoke' }
const ALIAS = 'treasury'
const THEIR_NAMES = {
  alias: ALIAS,
  statusListName: 'secret-list',
  encryptedListName: 'sealed-list',
  seriesName: 'secret-series',
}
/** Words that only the owner has ever said. */
const MARKER = 'known-to-the-owner-alone'
const MY_NAMES = {
  alias: 'purse',
  statusListName: 'open-list',
  encryptedListName: 'closed-list',
  seriesName: 'open-series',
}

/** Two accounts of one service: for each, the objects of the other look as if they did not exist. */
export function describeIsolation(place: Place): void {
  describe(`account isolation (${place})`, () => {
    let service: Service
    let folder: string
    const statementsFile = () => join(folder, 'statements')
    let owner: Client
    let stranger: Client
    /** of the owner, with some scopes */
    let limited: Client
    let theirs: Belongings
    let nobodys: Belongings
    /** published, but in no account any more */
    let unheld: Belongings
    /** published, and the stranger's by a key that has left the document since */
    let former: Belongings
    let mine: Belongings
    /** everything of the owner's that the owner and any reader can see */
    let seenBefore: unknown
    let own: Own
    let payment: string
    /** what only the owner knows, and nobody ever sends */
    let secrets: string[]
    const call = async <Result = { did: string; kid: string }>(
      who: Client,
      method: string,
      args: unknown = {},
    ) => (await who.ok('POST', `/agent/${method}`, { json: args })) as Result

    before(async () => {
      const options = {
        environment: { DATABASE_URL: await emptyInstallation(place) },
        configure: (text: string) =>
          text.replace(
            'agentMethods: [default]',
            `agentMethods: [default, ${Object.keys(LEFT_OUT).join(', ')}]`,
          ),
      }
      folder = await mkdtemp(join(tmpdir(), 'vidimus-statements-'))
      service = await Service.start(recording(statementsFile(), options))
      owner = await Client.of(service.url, service.apiKey)
      stranger = owner.as((await service.apiKeyOf('stranger')).apiKey)
      const scopes = ['read', 'api-keys', 'dids']
      limited = owner.as((await service.apiKeyOf('default', { scopes })).apiKey)
      const caller = await call(stranger, 'didManagerCreate', { options: { network: 'testnet' } })
      theirs = await belongings(owner, THEIR_NAMES)
      mine = await belongings(stranger, MY_NAMES)
      former = { ...theirs, ...(await formerHolding()) }
      payment = await paid()
      secrets = await ownersSecrets()
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
        seriesName: 'no-series',
        credential: '',
        credentialId: `urn:uuid:${randomUUID()}`,
        resourceId: randomUUID(),
        versionId: randomUUID(),
        apiKeyId: randomUUID(),
        webhookId: randomUUID(),
        jobId: randomUUID(),
        eventId: '0999999999999999',
        workId: placeText(['renewal', '1', 'nothing']),
      }
      unheld = { ...nobodys, did: left[1] ?? '' }
      const issue = (credentialStatus?: unknown) =>
        call<{ proof: { jwt: string } }>(stranger, 'credentialIssue', {
          issuerDid: caller.did,
          subjectDid: caller.did,
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
      own = { did: caller.did, credential, presentation: presented.proof.jwt, jwe }
      mine.credential = credential
      former.credential = theirs.credential
      seenBefore = await seen()
    })
    after(async () => {
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    })

    /** All kinds of objects of the owner, by their recognisable names and their identifiers. */
    async function ownersSecrets(): Promise<string[]> {
      const meta = { alias: `${MARKER}-key` }
      const { kid } = await call(owner, 'keyManagerCreate', { kms: 'local', type: 'Ed25519', meta })
      const { did } = await call(owner, 'didManagerCreate', { provider: 'did:key', alias: `${MARKER}-did` })
      const webhook = { url: `https://${MARKER}.example/hook` }
      const { id, secret } = (await owner.ok('POST', '/account/webhooks', { json: webhook })) as {
        id: string
        secret: string
      }
      const apiKey = (await owner.ok('POST', '/account/api-keys', { json: { name: `${MARKER}-api` } })) as {
        id: string
        apiKey: string
      }
      return [MARKER, kid, did, id, secret, apiKey.id, apiKey.apiKey, service.apiKey ?? '', payment]
    }

    /** The stranger imports a DID by a key that the owner then takes out of its document. */
    async function formerHolding(): Promise<
      Pick<Belongings, 'did' | 'kid' | 'statusListName' | 'encryptedListName'>
    > {
      const privateKeyHex = newPrivateKey()
      const { kid } = (await owner.ok('POST', '/key/import', { json: { privateKeyHex } })) as { kid: string }
      const { did } = (await owner.ok('POST', '/did/create', { json: { network: 'testnet', key: kid } })) as {
        did: string
      }
      await stranger.ok('POST', '/did/import', { json: { did, keys: [{ type: 'Ed25519', privateKeyHex }] } })
      const names = { statusListName: 'former-list', encryptedListName: 'former-sealed' }
      const add = await call<{ kid: string }>(owner, 'keyManagerCreate', { kms: 'local', type: 'Ed25519' })
      await call(owner, 'didManagerAddKey', { did, key: add })
      await call(owner, 'didManagerRemoveKey', { did, kid })
      await call(owner, 'statusListCreate', { ...purpose, did, statusListName: names.statusListName })
      const sealed = { did, statusListName: names.encryptedListName, encrypted: true }
      await call(owner, 'statusListCreate', { ...purpose, ...sealed })
      await call(owner, 'statusListUpdate', { ...sealed, ...revoke, indices: [9] })
      return { did, kid, ...names }
    }

    /** What the owner has, what is published of it, and the content of each of its lists. */
    async function seen(): Promise<unknown> {
      const identifiers = await Promise.all(
        [theirs.did, theirs.keyDid, former.did].map((did) => call(owner, 'didManagerGet', { did })),
      )
      const [keys, apiKeys, webhooks] = await Promise.all([
        Promise.all([theirs.kid, former.kid].map((kid) => call(owner, 'keyManagerGet', { kid }))),
        owner.ok('GET', '/account/api-keys'),
        owner.ok('GET', '/account/webhooks') as Promise<{ webhooks: { id: string; revokedAt?: string }[] }>,
      ])
      const published = await Promise.all(
        [theirs, former].map(async ({ did, statusListName, encryptedListName }) => [
          await owner.ok('GET', `/1.0/identifiers/${did}/versions`),
          await call(owner, 'linkedResourceList', { did }),
          ...(await Promise.all(
            [statusListName, encryptedListName].map((name) =>
              call(owner, 'statusListCheck', {
                ...purpose,
                did,
                statusListName: name,
                indices: [1, 5, 7, 9],
              }),
            ),
          )),
        ]),
      )
      const subscribed = webhooks.webhooks.map(({ id, revokedAt }) => [id, revokedAt])
      // When keys were used last is theirs to change.
      const text = JSON.stringify({ identifiers, keys, apiKeys, subscribed, published })
      return JSON.parse(
        text.replace(/"(lastUsedAt|retrieved)":"[^"]*",?/g, '').replaceAll(',}', '}'),
      ) as unknown
    }

    async function belongings(
      who: Client,
      { alias, statusListName, encryptedListName, seriesName }: typeof THEIR_NAMES,
    ): Promise<Belongings> {
      const { kid } = await call(who, 'keyManagerCreate', { kms: 'local', type: 'Ed25519' })
      const created = await call(who, 'didManagerCreate', {
        alias,
        options: { network: 'testnet', publicKeyHex: kid },
      })
      const did = created.did
      const { did: keyDid } = await call(who, 'didManagerCreate', { provider: 'did:key' })
      await call(who, 'didManagerAddService', {
        did,
        service: { id: `${did}#svc`, type: 'LinkedDomains', serviceEndpoint: 'https://owner.test' },
      })
      const list = await call<{
        resourceMetadata: { resourceId: string }
      }>(who, 'statusListCreate', {
        ...purpose,
        did,
        statusListName,
        validUntil: '2999-01-01T00:00:00Z',
      })
      await call(who, 'statusListUpdate', {
        listType: purpose.listType,
        statusAction: 'revoke',
        did,
        statusListName,
        indices: [5],
      })
      await call(who, 'statusListCreate', {
        ...purpose,
        did,
        statusListName: encryptedListName,
        encrypted: true,
      })
      await call(who, 'statusListCreate', { ...purpose, did, statusListName: seriesName, series: true })
      const credentialId = `urn:uuid:${randomUUID()}`
      await call(who, 'credentialIssue', {
        issuerDid: did,
        credentialId,
        attributes: { a: 1 },
        credentialStatus: { statusListName, statusListIndex: REGISTERED_INDEX },
      })
      const { id: webhookId } = (await who.ok('POST', '/account/webhooks', {
        json: { url: 'https://receiver.example/' },
      })) as { id: string }
      const { id: jobId } = await call<{ id: string }>(who, 'statusListJobCreate', {
        action: 'revoke',
        issuedFrom: '2020-01-01T00:00:00Z',
        issuedUntil: '2020-01-02T00:00:00Z',
      })
      const { id: apiKeyId } = (await who.ok('POST', '/account/api-keys', { json: { name: 'second' } })) as {
        id: string
      }
      const { events } = (await who.ok('GET', '/account/events', { query: { limit: '1000' } })) as {
        events: { id: string }[]
      }
      const { items } = (await who.ok('GET', '/work', { query: { kind: 'renewal' } })) as {
        items: { id: string }[]
      }
      const [renewal = assert.fail('no list is renewed')] = items
      const resolved = await call<{
        didDocumentMetadata: { versionId: string }
      }>(who, 'resolveDid', { didUrl: did })
      return {
        did,
        keyDid,
        kid,
        alias,
        service: `${did}#svc`,
        statusListName,
        encryptedListName,
        seriesName,
        credential: '',
        credentialId,
        resourceId: list.resourceMetadata.resourceId,
        versionId: resolved.didDocumentMetadata.versionId,
        apiKeyId,
        webhookId,
        jobId,
        eventId: events.at(-1)?.id ?? '',
        workId: renewal.id,
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
      const { payments } = await call<{ payments: { id: string }[] }>(owner, 'statusListPayments')
      assert.equal(payments.length, 1)
      return payments[0]?.id ?? ''
    }

    it('covers every operation of the API document', () => {
      const documented = Object.entries(owner.openApi.paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
      )
      assert.deepEqual(Object.keys(OPERATIONS).sort(), documented.sort())
    })

    it('covers every agent method that can be called remotely', async () => {
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
          it(`looks like a missing object${what && `: ${what}`}`, async () => {
            await readsLike(request, nobodys)
          })
        }
        for (const [what, request] of Object.entries(row.unheld ?? {})) {
          it(`looks like an object of no account: ${what}`, async () => {
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
        for (const [what, request] of Object.entries(row.operators ?? {})) {
          it(`is for operators alone${what && `: ${what}`}`, async () => {
            // The API key of the owner has no limits, which is not enough.
            for (const who of [stranger, owner, limited]) {
              const { status, body } = await send(who, request(theirs, own))
              const { error, code } = body as Record<string, unknown>
              assert.deepEqual(
                [status, code, error],
                [403, 'forbidden', 'this API key lacks a required scope: operator'],
              )
            }
          })
        }
        const { published, own: ofTheCaller, shared } = row
        if (published) {
          it('is the same for every account, apart from what only its publisher is told', async () => {
            const request = published(theirs, own)
            const answers = [await send(stranger, request), await send(owner, request)]
            assert.deepEqual(timeless(answers[0]), withoutFacts(timeless(answers[1])))
            assert.equal(answers[0]?.status, 200)
          })
        }
        if (ofTheCaller) {
          it('names nothing of another account', async () => {
            const answer = await send(stranger, ofTheCaller(theirs, own))
            assert.equal(answer.status, 200)
            const text = JSON.stringify(answer.body)
            for (const value of [...texts(theirs), payment]) {
              // each account counts its events by itself
              if (![theirs.credential, ALIAS, theirs.eventId].includes(value))
                assert.ok(!text.includes(value), value)
            }
          })
        }
        if (shared) {
          it('exists separately for each account', async () => {
            for (const belongings of [theirs, nobodys]) {
              const answer = await send(stranger, shared(belongings, own))
              assert.equal(answer.status, 200, JSON.stringify(answer.body))
            }
          })
        }
      })
    }

    /** Every argument that names something, of every operation and method there is, with names of all sorts. */
    describe('identifying arguments', () => {
      const schemasOf = async () => {
        const { body } = await owner.get('/open-api.json')
        const document = body as {
          components: { schemas: Schemas }
          'x-methods': Record<string, { arguments: object }>
        }
        return { schemas: document.components.schemas, methods: document['x-methods'] }
      }
      /** From the first request of the row, with the caller's own objects. */
      const baseOf = (row: Row): ReturnType<CallWith> => {
        const requests = [row.foreign, row.unheld, row.refused, row.operators].flatMap((named) =>
          Object.values(named ?? {}),
        )
        const [first] = [row.own, row.shared, row.published, ...requests].filter((one) => one !== undefined)
        return first?.(mine, own) ?? {}
      }
      const namedBy = (kind: NamedKind, of: Belongings): string[] =>
        ({
          did: [of.did],
          kid: [of.kid],
          alias: [of.alias],
          service: [of.service],
          list: [of.statusListName, of.encryptedListName],
          resource: [of.resourceId],
          version: [of.versionId],
          apiKey: [of.apiKeyId],
          webhook: [of.webhookId],
          job: [of.jobId],
          credential: [of.credential],
          credentialId: [of.credentialId],
          account: ['default'],
          event: [of.eventId],
          listUrl: [of.statusListName, of.encryptedListName].map((name) => listUrlOf(of.did, name)),
          listId: [of.statusListName, of.encryptedListName].map((name) => hashListId(placeOf(of.did, name))),
          collection: [of.did.split(':').at(-1) ?? ''],
        })[kind]
      const others = () => [theirs, unheld, nobodys, former]
      const harmless = async (title: string, request: ReturnType<CallWith>) => {
        const [method = '', template = ''] = title.split(' ')
        const { path = {}, ...sent } = request
        const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(path[name] ?? ''),
        )
        const answer = await stranger.call(method, filled, sent)
        assert.ok(answer.status < 500, `${title} ${JSON.stringify(request)}: ${JSON.stringify(answer.body)}`)
        const text = JSON.stringify([answer.body, [...answer.headers]])
        const sentText = JSON.stringify(request)
        for (const secret of secrets)
          assert.ok(!text.includes(secret), `${title} ${sentText} reveals ${secret}`)
        for (const id of [theirs.apiKeyId, theirs.webhookId, theirs.jobId, theirs.workId]) {
          if (!sentText.includes(id)) assert.ok(!text.includes(id), `${title} ${sentText}`)
        }
        return answer
      }
      /** What only the owner has looks like what nobody has; what is published looks like what no account holds. */
      const pairsOf = (kind: NamedKind): [theirs: string, nobodys: string][] =>
        ({
          ...PUBLIC,
          did: [[theirs.did, unheld.did]],
          kid: [[theirs.kid, nobodys.kid]],
          alias: [[theirs.alias, nobodys.alias]],
          service: [[theirs.service, nobodys.service]],
          list: [
            [theirs.statusListName, nobodys.statusListName],
            [theirs.encryptedListName, nobodys.encryptedListName],
          ],
          apiKey: [[theirs.apiKeyId, nobodys.apiKeyId]],
          webhook: [[theirs.webhookId, nobodys.webhookId]],
          job: [[theirs.jobId, nobodys.jobId]],
          account: [['default', 'nobody']],
          event: [[theirs.eventId, nobodys.eventId]],
          credentialId: [[theirs.credentialId, nobodys.credentialId]],
        })[kind] as [string, string][]
      const readsAlike = async (title: string, pair: [ReturnType<CallWith>, ReturnType<CallWith>]) => {
        const both = await Promise.all(pair.map((request) => harmless(title, request)))
        if (isDeepStrictEqual(shapeOf(both[0]), shapeOf(both[1]))) return
        // Other calls may have come in between; a leak would occur again.
        const [foreign, missing] = [await harmless(title, pair[0]), await harmless(title, pair[1])]
        assert.deepEqual(shapeOf(foreign), shapeOf(missing), `${title} ${JSON.stringify(pair[0])}`)
      }
      const tried = async (title: string, row: Row, paths: readonly ArgumentPath[]) => {
        const base = baseOf(row)
        let sent = 0
        for (const path of paths) {
          const values = new Set(kindsOf(path).flatMap((kind) => others().flatMap((of) => namedBy(kind, of))))
          const requests = [...values].map((value) => withArgument(base, path, value) as ReturnType<CallWith>)
          await Promise.all(requests.map((request) => harmless(title, request)))
          const pairs = kindsOf(path).flatMap(pairsOf)
          const asked = pairs.map((pair) => pair.map((value) => withArgument(base, path, value)))
          await Promise.all(asked.map((pair) => readsAlike(title, pair as Parameters<typeof readsAlike>[1])))
          sent += requests.length + 2 * pairs.length
        }
        return sent + (await triedWhole(title, row))
      }
      /** The requests of the row with everything others have at once, including their encrypted lists. */
      const triedWhole = async (title: string, row: Row) => {
        const rows = [row.own, row.shared, row.published, row.foreign, row.unheld, row.refused, row.operators]
        const requests = rows.flatMap((one) => (typeof one === 'function' ? [one] : Object.values(one ?? {})))
        let sent = 0
        for (const of of others()) {
          for (const list of [of.statusListName, of.encryptedListName]) {
            for (const request of requests) {
              const made = request({ ...of, statusListName: list }, own)
              const { body } = await harmless(title, made)
              const isSealed = list === of.encryptedListName && JSON.stringify(made).includes(of.did)
              // DIDs of nobody may be the caller's by now.
              if (isSealed && [theirs, former].includes(of)) {
                assert.doesNotMatch(JSON.stringify(body), CONTENT_OF_LIST, title)
              }
              sent += 1
            }
          }
        }
        return sent
      }

      it('access nothing of others: agent methods', async () => {
        const { schemas, methods } = await schemasOf()
        let requests = 0
        // Requests that end the stranger's own former holding come last.
        const named = Object.entries(METHODS).sort(([one], [other]) => endsHolding(one) - endsHolding(other))
        for (const [method, row] of named) {
          const arguments_ = namingArguments(methods[method]?.arguments, schemas)
          const paths = [...arguments_, ...(HIDDEN_ARGUMENTS[method] ?? [])].map((path) => ['json', ...path])
          requests += await tried(`POST /agent/${method}`, row, paths)
        }
        assert.ok(requests > 300, String(requests))
      })

      const operationOf = (title: string) => {
        const [method = '', template = ''] = title.split(' ')
        return owner.openApi.paths[template]?.[method.toLowerCase()] as {
          parameters?: { name: string; in: string; schema?: Schema }[]
          requestBody?: { content: Record<string, { schema: object }> }
        }
      }
      const schemasOfOperations = () =>
        (owner.openApi.components as { schemas?: Schemas } | undefined)?.schemas ?? {}

      it('are all known, and so are the others', async () => {
        const { schemas, methods } = await schemasOf()
        const ofMethods = Object.entries(methods).flatMap(([method, described]) =>
          unsaidArguments(described.arguments, schemas).map((path) => [method, ...path].join('.')),
        )
        const ofOperations = Object.keys(OPERATIONS).flatMap((title) => {
          const { parameters = [], requestBody } = operationOf(title)
          const properties = Object.fromEntries(parameters.map(({ name, schema = {} }) => [name, schema]))
          return [requestBody?.content['application/json']?.schema, { properties }].flatMap((schema) =>
            unsaidArguments(schema, schemasOfOperations()).map((path) => [title, ...path].join('.')),
          )
        })
        assert.deepEqual([...ofMethods, ...ofOperations], [])
      })

      it('access nothing of others: operations', async () => {
        let requests = 0
        for (const [title, row] of Object.entries(OPERATIONS)) {
          const operation = operationOf(title)
          const schemas = schemasOfOperations()
          const inBody = namingArguments(operation.requestBody?.content['application/json']?.schema, schemas)
          const parameters = (operation.parameters ?? []).filter(({ in: place }) => place !== 'header')
          const beside = parameters.map(({ name, in: place }) => [place, name])
          requests += await tried(title, row, [...inBody.map((path) => ['json', ...path]), ...beside])
        }
        assert.ok(requests > 150, String(requests))
      })

      it('give no access to an account without a key in the DID document', async () => {
        const { did, statusListName, encryptedListName } = former
        await stranger.ok('POST', '/did/import', { json: { did: mine.did } })
        const attempts: [method: string, args: object, code: string][] = [
          [
            'statusListCheck',
            { ...purpose, did, statusListName: encryptedListName, index: 9 },
            'list_encrypted',
          ],
          ['statusListAllocate', { did, statusListName }, 'key_not_found'],
          ['statusListUpdate', { ...revoke, did, statusListName, indices: [3] }, 'key_not_found'],
          ['statusListCreate', { ...purpose, did, statusListName: 'mine-now' }, 'key_not_found'],
          ['credentialIssue', { issuerDid: did, attributes: { a: 1 } }, 'key_not_found'],
          ['presentationCreate', { credentials: [own.credential], holderDid: did }, 'key_not_found'],
          [
            'linkedResourceCreate',
            { did, resourceName: 'n', resourceType: 'N', data: 'YQ' },
            'key_not_found',
          ],
          ['cheqdDeactivate', { did }, 'key_not_found'],
        ]
        const imported = await stranger.post('/did/import', { json: { did } })
        assert.equal((imported.body as { code: string }).code, 'key_not_found')
        for (const [method, args, code] of attempts) {
          const { status, body } = await stranger.post(`/agent/${method}`, { json: args })
          const answered = (body as { code?: string }).code ?? ''
          assert.ok(
            status >= 400 && [code, 'did_not_found'].includes(answered),
            `${method}: ${JSON.stringify(body)}`,
          )
        }
      })

      it('have changed nothing of others, and revealed nothing to the caller', async () => {
        assert.deepEqual(await seen(), seenBefore)
        const found = await call<{ did: string; keys: { kid: string }[] }[]>(stranger, 'didManagerFind')
        for (const { did, keys } of found) {
          assert.ok(![theirs.did, theirs.keyDid, unheld.did].includes(did), did)
          assert.ok(!keys.some(({ kid }) => kid === theirs.kid), did)
        }
        assert.equal((await stranger.get(`/key/read/${theirs.kid}`)).status, 404)
        assert.equal((await stranger.get(`/key/read/${nobodys.kid}`)).status, 404)
      })
    })

    it('treats the idempotency key of another account as new', async () => {
      const headers = { 'idempotency-key': 'shared-by-both' }
      const request = { json: { network: 'testnet' }, headers }
      const first = await owner.post('/did/create', request)
      const foreign = await stranger.post('/did/create', request)
      assert.deepEqual([foreign.status, foreign.headers.get('idempotency-replayed')], [200, null])
      assert.notEqual((foreign.body as { did: string }).did, (first.body as { did: string }).did)
      // nor does it reveal that the other account sent another request with that key
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
      it('lets another account use the same service name for itself', async () => {
        const { did } = await call(stranger, 'didManagerCreate', {
          provider: 'did:web',
          alias: 'stranger.test',
        })
        const service = {
          id: theirs.service,
          type: 'LinkedDomains',
          serviceEndpoint: 'https://stranger.test',
        }
        await call(stranger, 'didManagerAddService', { did, service })
        await call(stranger, 'didManagerRemoveService', { did, id: theirs.service })
      })

      it('leaves everything of the owner unchanged', async () => {
        const { did, kid, keyDid, statusListName } = theirs
        const identifier = await call<{
          did: string
          keys: { kid: string }[]
          services: { id: string }[]
        }>(owner, 'didManagerGetByAlias', {
          alias: ALIAS,
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

      it('gives a key imported by two accounts to both, and deletes it for one only', async () => {
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

      it('gives a DID imported by two accounts to both, and deletes it for one only', async () => {
        const privateKeyHex = newPrivateKey()
        const { kid } = (await owner.ok('POST', '/key/import', { json: { privateKeyHex } })) as {
          kid: string
        }
        const { did } = (await owner.ok('POST', '/did/create', {
          json: { network: 'testnet', key: kid },
        })) as {
          did: string
        }
        await stranger.ok('POST', '/did/import', {
          json: { did, keys: [{ type: 'Ed25519', privateKeyHex }] },
        })
        const issue = (who: Client) =>
          who.post('/credential/issue', { json: { issuerDid: did, subjectDid: did, attributes: { a: 1 } } })
        assert.deepEqual([(await issue(owner)).status, (await issue(stranger)).status], [200, 200])
        await call(stranger, 'didManagerDelete', { did })
        assert.deepEqual([(await issue(owner)).status, (await issue(stranger)).status], [200, 400])
      })

      it('lets both use the same alias and the same list name', async () => {
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

      it('finds no full scan of a growing table', async () => {
        const statements = await recordedIn(statementsFile())
        assert.ok(statements.length > 150, `${statements.length} statements`)
        assert.deepEqual(await scanning(service, statements), [])
      })

      it('names an account, a DID or a list in every statement, apart from those with a reason', async () => {
        assert.deepEqual(unboundStatements(await recordedIn(statementsFile())), [])
        const unbound = ['SELECT url FROM webhook WHERE created_at > ?', 'DELETE FROM "status_list_change"']
        const statements = unbound.map((text) => new Sql([text], []))
        assert.deepEqual(unboundStatements(statements), unbound)
      })

      it('names the home of the rows in every statement on a table that has homes, apart from those with a reason', async () => {
        const withHome = await tablesWithHome(service)
        assert.ok(withHome.size >= 11, [...withHome].join())
        assert.deepEqual(statementsWithoutHome(await recordedIn(statementsFile()), withHome), [])
        const without = ['SELECT "doc" FROM "ledger_did_version" WHERE "network" = ? AND "did" = ?']
        const statements = without.map((text) => new Sql([text], []))
        assert.deepEqual(statementsWithoutHome(statements, withHome), without)
      })

      it('changes rows of one home in each transaction, apart from those that say why', async () => {
        const spanning = (await inSeveralHomes(statementsFile())).map((texts) => texts.join('; '))
        assert.deepEqual([...new Set(spanning)], [])
      })
    })
  })
}

/** Whether a method may remove the last trace of a DID or a key from an account. */
const endsHolding = (method: string) => Number(/Delete|Remove|Deactivate/.test(method))

/** The content of a list, or the list itself if it is not encrypted: zipped. */
const CONTENT_OF_LIST = /"revoked":|"(encodedList|bits)":"u?H4sI/

/** These are published or the caller's own: their existence is not secret. */
const PUBLIC = { resource: [], version: [], credential: [], listUrl: [], listId: [], collection: [] }

const placeOf = (did: string, statusListName: string): StatusListLocation => ({
  did: asDid(did),
  statusListName: asListName(statusListName),
  resourceType: 'BitstringStatusListCredential',
})
const listUrlOf = (did: string, name: string): string => listUrl(placeOf(did, name))

/** The information in a response without its words: status, code, locations of the problems and existing members. */
function shapeOf(answer: HttpAnswer | undefined): unknown {
  if (Array.isArray(answer?.body)) return { status: answer.status }
  const { code, details, ...others } = (answer?.body ?? {}) as {
    code?: string
    details?: { path: string }[]
  }
  const places = details?.map(({ path }) => path)
  return { status: answer?.status, code, places, members: Object.keys(others).sort() }
}

/** A response without the parts that depend on the submitted identifiers. */
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

/** Without how full a list is, and what it is in a series: only its publisher is told. */
const withoutFacts = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('allocated' in value)) return value
    const told = ['allocated', 'entries', 'member']
    return Object.fromEntries(Object.entries(value).filter(([name]) => !told.includes(name)))
  }) as unknown

function withoutRequestId(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { requestId: _requestId, ...others } = body as Record<string, unknown>
  return others
}

const texts = (belongings: Belongings): string[] => Object.values({ ...belongings } as Record<string, string>)
