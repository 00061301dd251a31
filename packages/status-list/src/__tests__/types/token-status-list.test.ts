import { asDid, asListName, listUrl } from '@vidimus/core-types'
import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { deflateSync, gzipSync, inflateSync } from 'node:zlib'
import { getListFromStatusListJWT, StatusList } from '@sd-jwt/jwt-status-list'
import type { StatusListCreateArgs, StatusListCreateParameters } from '@vidimus/core-types'
import fc from 'fast-check'
import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from 'jose'
import { entriesIn, getEntry, setEntry } from '../../encoding/entries.js'
import { TokenStatusList } from '../../types/token-status-list.js'
import { refused } from '../refused.js'
import { createTestAgent, type DidKey } from '../test-agent.js'
import { bitstringVectors, tokenVectors } from '../vectors.js'

const did = 'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0'
const place = { did: asDid(did), statusListName: asListName('my list'), resourceType: 'TokenStatusList' }
const location = { ...place, url: listUrl(place) }
const url = `${did}?resourceName=my%20list&resourceType=TokenStatusList`
const now = new Date('2026-01-02T03:04:05.678Z')
const IAT = 1_767_323_045
const MAX = 2_097_152
const parameters: StatusListCreateParameters = { length: 131_072, statusSize: 1, purposes: ['revocation'] }

const base64Json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwtOf = (payload: unknown, header: unknown = { typ: 'statuslist+jwt', alg: 'EdDSA' }) =>
  Buffer.from(`${base64Json(header)}.${base64Json(payload)}.c2ln`)
const empty = deflateSync(Buffer.alloc(16_384)).toString('base64url')
const claimsWith = (list: Record<string, unknown> = {}, members: Record<string, unknown> = {}) => ({
  sub: url,
  iat: IAT,
  status_list: { bits: 1, lst: empty, ...list },
  ...members,
})
const unpack = async (doc: Parameters<typeof TokenStatusList.unpack>[0]) => TokenStatusList.unpack(doc, MAX)

describe('TokenStatusList as a document', () => {
  it('creates a token with the URL of its list and times in seconds', async () => {
    const doc = await TokenStatusList.create(
      { ...parameters, statusSize: 2, ttl: 43_200_000, validUntil: '2027-01-01T00:00:00.900Z' },
      location,
      now,
    )
    const { lst } = doc.claims.status_list
    const { cwt, ...envelope } = TokenStatusList.secure?.(doc, location, now) ?? assert.fail()
    assert.equal(cwt?.typ, 'application/statuslist+cwt')
    assert.deepEqual(envelope, {
      takesCertificates: true,
      typ: 'statuslist+jwt',
      payload: {
        iss: did,
        sub: url,
        iat: IAT,
        exp: 1_798_761_600,
        ttl: 43_200,
        status_list: { bits: 2, lst },
      },
    })
    assert.deepEqual(inflateSync(Buffer.from(lst, 'base64url')), Buffer.alloc(32_768))
    assert.deepEqual(TokenStatusList.describe(doc), {
      statusSize: 2,
      order: 'lsb',
      purposes: ['revocation', 'suspension'],
      encrypted: false,
      validUntil: '2027-01-01T00:00:00.000Z',
      ttlMs: 43_200_000,
    })
  })

  it('publishes the JWT itself and reads it back', async () => {
    const doc = await TokenStatusList.create(parameters, location, now)
    const jwt = jwtOf(TokenStatusList.secure?.(doc, location, now)?.payload).toString()
    assert.equal(Buffer.from(TokenStatusList.serialise(doc, jwt)).toString(), jwt)
    const parsed = TokenStatusList.parse(Buffer.from(jwt))
    assert.deepEqual(TokenStatusList.securingOf?.(parsed), { jwt, issuer: did, id: url, signedAt: IAT })
    assert.deepEqual(TokenStatusList.toResource(parsed, 131_072), {
      TokenStatusList: doc.claims,
      metadata: { encrypted: false, encoding: 'base64url', length: 131_072, statusSize: 1 },
      jwt,
    })
  })

  it('re-signs on update, keeping the name of the list and unknown claims', async () => {
    const resolver = `https://resolver.example/1.0/identifiers/${url}`
    const claims = claimsWith({ aggregation_uri: 'https://a' }, { sub: resolver, custom: { a: 1 }, ttl: 60 })
    const parsed = TokenStatusList.parse(jwtOf(claims))
    assert.deepEqual(TokenStatusList.securingOf?.(parsed), { jwt: parsed.jwt, id: resolver, signedAt: IAT })
    const frozen = structuredClone(parsed)
    const packed = await TokenStatusList.pack(parsed, new Uint8Array(16_384).fill(3))
    assert.deepEqual(parsed, frozen)
    assert.equal(TokenStatusList.securingOf?.(packed), undefined)
    const later = new Date(now.getTime() + 60_000)
    assert.deepEqual(TokenStatusList.secure?.(packed, location, later)?.payload, {
      ...claims,
      iss: did,
      iat: IAT + 60,
      status_list: { ...claims.status_list, lst: packed.claims.status_list.lst },
    })
    assert.deepEqual(new Uint8Array(await unpack(packed)), new Uint8Array(16_384).fill(3))
  })

  for (const [name, { bits, values, lst, bytes }] of tokenVectors.small.map(
    (vector) => [vector.bytes, vector] as const,
  )) {
    it(`reads the specification example ${name}`, async () => {
      const decoded = await TokenStatusList.decode(lst, undefined, MAX)
      assert.equal(Buffer.from(decoded).toString('hex'), bytes)
      const layout = { statusSize: bits, order: 'lsb' } as const
      assert.deepEqual(
        values.map((_, index) => getEntry(decoded, layout, index)),
        values,
      )
    })
  }

  for (const { bits, entries, lst, size } of Object.values(tokenVectors.long)) {
    it(`reads the test vector with ${bits} bits`, async () => {
      const doc = TokenStatusList.parse(jwtOf(claimsWith({ bits, lst })))
      const layout = TokenStatusList.describe(doc)
      const decoded = await unpack(doc)
      assert.equal(entriesIn(decoded, bits), size)
      const expected = new Map(entries)
      for (let index = 0; index < size; index++) {
        const value = getEntry(decoded, layout, index)
        if (value !== (expected.get(index) ?? 0)) assert.fail(`${index}: ${value}`)
      }
    })
  }

  it("reads walt.id's fixture", async () => {
    const fixture = bitstringVectors.walt.fixtures['tokenstatuslist/revoked.json']
    assert.ok(fixture)
    const bits = await TokenStatusList.decode(fixture.list, undefined, MAX)
    assert.equal(
      getEntry(bits, { statusSize: 1, order: 'lsb' }, Number(fixture.index)),
      fixture.expectedValue,
    )
  })

  it('is readable by an independent library, and reads what that encodes', async () => {
    const lists = fc.constantFrom(1 as const, 2 as const, 4 as const, 8 as const).chain((size) =>
      fc.record({
        size: fc.constant(size),
        values: fc.array(fc.nat(2 ** size - 1), { minLength: 64, maxLength: 64 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(lists, async ({ size, values }) => {
        const layout = { statusSize: size, order: 'lsb' } as const
        const bits = new Uint8Array(8 * size)
        values.forEach((value, index) => {
          setEntry(bits, layout, index, value)
        })
        const doc = TokenStatusList.parse(jwtOf(claimsWith({ bits: size })))
        const { lst } = (await TokenStatusList.pack(doc, bits)).claims.status_list
        const theirs = StatusList.decompressStatusList(lst, size)
        assert.deepEqual(
          values.map((_, index) => theirs.getStatus(index)),
          values,
        )
        const encoded = new StatusList([...values], size).compressStatusList()
        assert.deepEqual(new Uint8Array(await TokenStatusList.decode(encoded, undefined, MAX)), bits)
      }),
    )
  })

  const refusals: [string, Partial<StatusListCreateParameters>, path: string][] = [
    ['one bit with suspension', { purposes: ['suspension'] }, 'statusSize'],
    ['one bit with both purposes', { purposes: ['revocation', 'suspension'] }, 'statusSize'],
    ['hex', { encoding: 'hex' }, 'encoding'],
    ['messages', { statusMessages: [{ status: '0x0', message: 'ok' }] }, 'statusMessages'],
    ['a ttl with fractional seconds', { ttl: 1500 }, 'ttl'],
    ['a ttl below a second', { ttl: 999 }, 'ttl'],
  ]
  for (const [title, members, path] of refusals) {
    it(`does not create ${title}`, () =>
      refused(() => TokenStatusList.create({ ...parameters, ...members }, location, now), {
        code: 'invalid_input',
        path,
      }))
  }

  const bad: [string, Buffer][] = [
    ['JSON', Buffer.from(JSON.stringify(claimsWith()))],
    ['raw zlib', deflateSync(Buffer.alloc(16_384))],
    ['two parts', Buffer.from('a.b')],
    ['an invalid alphabet', Buffer.from('a+b.e30.c2ln')],
    ['another typ', jwtOf(claimsWith(), { typ: 'vc+jwt', alg: 'EdDSA' })],
    ['no typ', jwtOf(claimsWith(), { alg: 'EdDSA' })],
    ['no sub', jwtOf(claimsWith({}, { sub: undefined }))],
    ['a sub that is not a URL', jwtOf(claimsWith({}, { sub: 'lists/1' }))],
    ['a sub with an unsupported scheme', jwtOf(claimsWith({}, { sub: 'ftp://example.com/lists/1' }))],
    ['no iat', jwtOf(claimsWith({}, { iat: undefined }))],
    ['an iat beyond all dates', jwtOf(claimsWith({}, { iat: 1e300 }))],
    ['an exp as text', jwtOf(claimsWith({}, { exp: '2027-01-01' }))],
    ['a ttl of 0', jwtOf(claimsWith({}, { ttl: 0 }))],
    ['no list', jwtOf(claimsWith({}, { status_list: undefined }))],
    ['three bits', jwtOf(claimsWith({ bits: 3 }))],
    ['bits as text', jwtOf(claimsWith({ bits: '1' }))],
    ['no lst', jwtOf(claimsWith({ lst: undefined }))],
  ]
  for (const [title, content] of bad) {
    it(`refuses to read ${title}`, () =>
      refused(() => TokenStatusList.parse(content), { code: 'malformed_list' }))
  }

  const gzipped = gzipSync(Buffer.alloc(16_384)).toString('base64url')
  for (const [title, lst] of [
    ['padding', `${empty}==`],
    [
      'in the other alphabet',
      deflateSync(Buffer.from([0xff, 0xfe]))
        .toString('base64')
        .padEnd(16, '+'),
    ],
    ['gzip', gzipped],
    ['truncated', empty.slice(0, 12)],
    ['nothing', ''],
    ['a decompression bomb', deflateSync(Buffer.alloc(20_000_000)).toString('base64url')],
  ] as const) {
    it(`refuses an lst that is ${title}`, () =>
      refused(() => unpack(TokenStatusList.parse(jwtOf(claimsWith({ lst })))), { code: 'malformed_list' }))
  }
})

const verified = async (key: DidKey, text: string) => {
  const x = Buffer.from(key.publicKeyHex, 'hex').toString('base64url')
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  await compactVerify(text, publicKey)
  return decodeJwt(text)
}

describe('TokenStatusList in the engine', () => {
  let time: Date
  async function setup(args: Partial<StatusListCreateArgs> = {}) {
    time = now
    const test = createTestAgent({ clock: () => time })
    const key = await test.createDid()
    const name = { did: key.did, statusListName: 'tokens', listType: 'TokenStatusList' }
    const named = { did: key.did, resourceName: 'tokens', resourceType: 'TokenStatusList' }
    const create = () =>
      test.scoped((agent) => agent.statusListCreate({ ...name, statusPurpose: 'revocation', ...args }))
    const update = (statusAction: string, indices: number[]) =>
      test.scoped((agent) => agent.statusListUpdate({ ...name, statusAction, indices }))
    const check = (statusPurpose: string, indices: number[]) =>
      test.scoped((agent) => agent.statusListCheck({ ...name, statusPurpose, indices }))
    const read = async () => {
      const text = test.ledger.newestText(named)
      return { text, payload: await verified(key, text), list: getListFromStatusListJWT(text) }
    }
    return { ...test, key, named, create, update, check, read }
  }

  it('publishes what jose verifies and another library reads, re-signed with every update', async () => {
    const { create, update, read, key, ledger, named } = await setup({
      ttl: 300_000,
      validUntil: '2027-01-01T00:00:00Z',
    })
    await create()
    const first = await read()
    const { cwt, ...header } = decodeProtectedHeader(first.text)
    assert.ok(cwt, 'the source of its other form')
    assert.deepEqual(header, {
      alg: 'EdDSA',
      kid: `${key.did}#key-1`,
      typ: 'statuslist+jwt',
      resourceId: ledger.history(named).at(-1)?.metadata.resourceId,
    })
    const { iat, exp, ttl, sub, iss } = first.payload
    const listUrl = `${key.did}?resourceName=tokens&resourceType=TokenStatusList`
    assert.deepEqual(
      { iat, exp, ttl, sub, iss },
      { iat: IAT, exp: 1_798_761_600, ttl: 300, sub: listUrl, iss: key.did },
    )
    time = new Date(now.getTime() + 90_000)
    await update('revoke', [0, 9, 131_071])
    const second = await read()
    assert.equal(second.payload.iat, IAT + 90)
    assert.equal(second.payload.exp, exp)
    for (const [index, status] of [
      [0, 1],
      [1, 0],
      [9, 1],
      [131_071, 1],
    ] as const) {
      assert.equal(second.list.getStatus(index), status)
      assert.equal(first.list.getStatus(index), 0)
    }
  })

  for (const statusSize of [2, 4, 8]) {
    it(`revokes, suspends, reinstates and sets states in ${statusSize} bits`, async () => {
      const { create, update, check, read } = await setup({ statusSize })
      await create()
      assert.equal((await update('suspend', [1, 2])).suspended, true)
      assert.equal((await update('revoke', [2, 3])).revoked, true)
      assert.deepEqual((await update('reinstate', [1])).changed, [1])
      const { status, message } = await update('3', [5])
      assert.deepEqual([status, message], [3, 'APPLICATION_SPECIFIC'])
      await update('suspend', [6])
      const statuses = async (purpose: string) =>
        (await check(purpose, [0, 1, 2, 3, 5, 6])).results?.map(({ status }) => status)
      assert.deepEqual(await statuses('revocation'), [0, 0, 1, 1, 3, 2])
      assert.deepEqual(await statuses('suspension'), [0, 0, 1, 1, 3, 2])
      const { list } = await read()
      assert.deepEqual(
        [0, 1, 2, 3, 5, 6].map((index) => list.getStatus(index)),
        [0, 0, 1, 1, 3, 2],
      )
      await refused(() => update('reinstate', [6, 2]), { code: 'irreversible', path: 'indices[1]' })
    })
  }

  it('uses two bits if it supports suspension, and otherwise one', async () => {
    for (const [statusPurpose, size] of [
      ['revocation', 1],
      ['suspension', 2],
      [['revocation', 'suspension'], 2],
    ] as const) {
      const { create } = await setup({
        statusPurpose: typeof statusPurpose === 'string' ? statusPurpose : [...statusPurpose],
      })
      const { resource } = await create()
      assert.equal((resource.metadata as { statusSize: number }).statusSize, size)
    }
    const { create, check } = await setup()
    await create()
    await refused(() => check('suspension', [0]), { code: 'purpose_mismatch', path: 'statusPurpose' })
  })

  it('starts with the given entries', async () => {
    const bits = Buffer.alloc(16_384)
    bits[0] = 0b0000_0010
    const { create, check } = await setup({ encodedList: deflateSync(bits).toString('base64url') })
    await create()
    assert.deepEqual(
      (await check('revocation', [0, 1, 2])).results?.map(({ revoked }) => revoked),
      [false, true, false],
    )
  })

  it('trusts no list signed by somebody else, and no other list', async () => {
    const { create, check, ledger, named, key } = await setup()
    await create()
    const text = ledger.newestText(named)
    const jwk = {
      kty: 'OKP',
      crv: 'Ed25519',
      d: Buffer.from(key.privateKeyHex.slice(0, 64), 'hex').toString('base64url'),
      x: Buffer.from(key.publicKeyHex, 'hex').toString('base64url'),
    }
    const own = await importJWK(jwk, 'EdDSA')
    const { payload } = await jwtVerify(
      text,
      createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' }),
      { currentDate: now },
    )
    const signed = (claims: Record<string, unknown>) =>
      new SignJWT({ ...payload, ...claims })
        .setProtectedHeader({ alg: 'EdDSA', kid: `${key.did}#key-1`, typ: 'statuslist+jwt' })
        .sign(own)
    const verdict = async (jwt: string) => {
      ledger.appendText(named, jwt)
      return check('revocation', [0])
    }
    assert.equal((await verdict(await signed({ iss: undefined }))).checked, true)
    const forged = text.slice(0, -4) + (text.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    await refused(() => verdict(forged), { code: 'invalid_credential' })
    const other = await signed({ iss: 'did:cheqd:testnet:9c5f4ae6-4f7d-4d3b-8fd1-3ad4d7c9a003' })
    await refused(() => verdict(other), { code: 'invalid_credential', says: /issuer/ })
    const elsewhere = await signed({ sub: `${key.did}?resourceName=other&resourceType=TokenStatusList` })
    await refused(() => verdict(elsewhere), { code: 'invalid_credential', says: /claims to be the list/ })
    const over = await signed({ exp: IAT - 1 })
    await refused(() => verdict(over), { code: 'invalid_credential', says: /has not been valid since/ })
    const ahead = await signed({ iat: IAT + 3600 })
    assert.equal((await verdict(ahead)).checked, true)
    const early = await signed({ iat: IAT + 3600, nbf: IAT + 3600 })
    await refused(() => verdict(early), { code: 'invalid_credential', says: /not valid before/ })
  })

  it('reports several creation errors at once', async () => {
    const { create } = await setup({ statusPurpose: 'suspension', statusSize: 1, ttl: 1, encoding: 'hex' })
    const { details } = await refused(create, { code: 'invalid_input' })
    assert.deepEqual(
      details.map(({ path }) => path),
      ['statusSize', 'encoding', 'ttl'],
    )
  })
})
