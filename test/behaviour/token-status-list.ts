import assert from 'node:assert/strict'
import { deflateSync } from 'node:zlib'
import { getListFromStatusListJWT } from '@sd-jwt/jwt-status-list'
import { decodeProtectedHeader, importJWK, jwtVerify, type JWK } from 'jose'
import { refusedInBothEncodings } from '../support/refused.js'
import { readPublic } from './identifiers.js'
import { check, search, update } from './status-list.js'
import { createDid, createList, freshName, type Setup } from './suite.js'

const CREATE = '/credential-status/create/unencrypted'
const UPDATE = '/credential-status/update/unencrypted'
const listType = 'TokenStatusList'

interface PublishedToken {
  resource: { TokenStatusList: Record<string, unknown>; metadata: Record<string, unknown>; jwt: string }
  resourceMetadata: { resourceType: string; created: string }
}

/** Token status lists: published lists conform to the IETF draft according to independent libraries. */
export function tokenStatusListSuite({ client }: Setup): void {
  it('is a signed statuslist+jwt that independent libraries verify and read, after every update', async () => {
    const did = await createDid(client(), { verificationMethodType: 'JsonWebKey2020' })
    const { didDocument } = (await client().ok('GET', `/did/search/${did}`)) as {
      didDocument: { verificationMethod: { publicKeyJwk: JWK }[] }
    }
    const key = await importJWK(didDocument.verificationMethod[0]?.publicKeyJwk ?? {}, 'EdDSA')
    const validUntil = '2099-01-01T00:00:00Z'
    const list = await createList(client(), {
      did,
      listType,
      body: { statusSize: 2, ttl: 300_000, validUntil },
    })
    const expected = new Map<number, number>()
    for (const [statusAction, indices, status] of [
      ['revoke', [0, 131_071], 1],
      ['suspend', [5, 6], 2],
      ['3', [7], 3],
      ['reinstate', [6], 0],
    ] as const) {
      const answer = await update(client(), list, [...indices], statusAction, listType)
      for (const index of indices) expected.set(index, status)
      const found = (await search(client(), list, 'revocation', listType)) as unknown as PublishedToken
      assert.deepEqual(found.resource, answer.resource)
      assert.equal(found.resourceMetadata.resourceType, 'TokenStatusList')
      const { jwt } = found.resource
      const { payload } = await jwtVerify(jwt, key, { issuer: did, typ: 'statuslist+jwt' })
      assert.equal(decodeProtectedHeader(jwt).kid, `${did}#key-1`)
      assert.equal(payload.sub, `${did}?resourceName=${list.statusListName}&resourceType=TokenStatusList`)
      assert.equal(payload.ttl, 300)
      assert.equal(payload.exp, Date.parse(validUntil) / 1000)
      assert.ok(Math.abs((payload.iat ?? 0) - Date.parse(found.resourceMetadata.created) / 1000) < 60)
      const theirs = getListFromStatusListJWT(jwt)
      for (const index of [0, 1, 5, 6, 7, 131_070, 131_071]) {
        assert.equal(theirs.getStatus(index), expected.get(index) ?? 0, String(index))
      }
    }
  })

  it('is also delivered as statuslist+jwt without an accept header', async () => {
    const { did, statusListName } = await createList(client(), { listType })
    const query = { resourceName: statusListName, resourceType: 'TokenStatusList' }
    for (const [accept, mediaType] of [
      ['*/*', 'application/statuslist+jwt'],
      ['', 'application/statuslist+jwt'],
      ['application/statuslist+jwt', 'application/statuslist+jwt'],
      ['text/plain', 'text/plain; charset=utf-8'],
    ] as const) {
      const { headers } = await readPublic(client(), did, { query, headers: { accept } })
      assert.equal(headers.get('content-type'), mediaType, accept)
    }
  })

  it('reports both purposes of a list that supports suspension, and the states in between', async () => {
    const list = await createList(client(), { listType, statusPurpose: ['revocation', 'suspension'] })
    await update(client(), list, [1], 'revoke', listType)
    await update(client(), list, [2], 'suspend', listType)
    const custom: unknown = await update(client(), list, [3], '0x3', listType)
    const { status, message } = custom as { status: number; message: string }
    assert.deepEqual([status, message], [3, 'APPLICATION_SPECIFIC'])
    const selection = { indexRangeStart: 0, indexRangeEnd: 3 }
    const { results: revocation } = await check(client(), list, selection, 'revocation', listType)
    const { results: suspension } = await check(client(), list, selection, 'suspension', listType)
    assert.deepEqual(
      revocation?.map(({ revoked, status, valid }) => [revoked, status, valid]),
      [
        [false, 0, true],
        [true, 1, false],
        [false, 2, false],
        [false, 3, false],
      ],
    )
    assert.deepEqual(
      suspension?.map(({ suspended }) => suspended),
      [false, false, true, false],
    )
  })

  it('starts with the given entries', async () => {
    const bits = Buffer.alloc(16_384)
    bits[1] = 0b0000_0001
    const encodedList = deflateSync(bits).toString('base64url')
    const list = await createList(client(), { listType, body: { encodedList } })
    const { results } = await check(client(), list, { indices: [7, 8] }, 'revocation', listType)
    assert.deepEqual(
      results?.map(({ revoked }) => revoked),
      [false, true],
    )
  })

  it('refuses states that do not fit or are reserved by the specification, and changes nothing', async () => {
    const list = await createList(client(), { listType, body: { statusSize: 4 } })
    const before = await search(client(), list, 'revocation', listType)
    for (const [statusAction, code] of [
      ['16', 'value_too_wide'],
      ['4', 'unknown_action'],
      ['0xb', 'unknown_action'],
    ] as const) {
      const refusal = { code, path: 'statusAction' }
      await refusedInBothEncodings(client(), UPDATE, { ...list, indices: [1] }, refusal, {
        query: { listType, statusAction },
      })
    }
    assert.deepEqual(await search(client(), list, 'revocation', listType), before)
  })

  it('refuses to create an impossible list', async () => {
    const did = await createDid(client())
    for (const [body, path, statusPurpose = 'revocation'] of [
      [{ statusSize: 3 }, 'statusSize'],
      [{ statusSize: 1 }, 'statusSize', 'suspension'],
      [{ ttl: 1500 }, 'ttl'],
      [{ encoding: 'hex' }, 'encoding'],
      [{}, 'statusPurpose', 'message'],
      [{ encodedList: 'H4sIAAAA' }, 'encodedList'],
    ] as const) {
      const fields = { did, statusListName: freshName('list'), ...body }
      await refusedInBothEncodings(client(), CREATE, fields, { path }, { query: { listType, statusPurpose } })
    }
  })
}
