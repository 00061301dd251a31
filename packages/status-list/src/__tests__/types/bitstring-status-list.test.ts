import { asDid, asListName, listUrl } from '@vidimus/core-types'
import assert from 'node:assert/strict'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { StatusListCreateParameters } from '@vidimus/core-types'
import { BitstringStatusList } from '../../types/bitstring-status-list.js'
import { getEntry, setEntry } from '../../encoding/entries.js'
import { oracles } from '../oracles.js'
import { refused } from '../refused.js'
import { bitstringVectors } from '../vectors.js'

const did = 'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0'
const place = {
  did: asDid(did),
  statusListName: asListName('my list'),
  resourceType: 'BitstringStatusListCredential',
}
const location = { ...place, url: listUrl(place) }
const url = `${did}?resourceName=my%20list&resourceType=BitstringStatusListCredential`
const now = new Date('2026-01-02T03:04:05Z')
const MAX = 1_048_576
const parameters: StatusListCreateParameters = { length: 131_072, statusSize: 1, purposes: ['revocation'] }
const WORDS = ['valid', 'revoked', 'suspended', 'unknown'].map((message, n) => ({
  status: `0x${n}`,
  message,
}))

const base64Json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwtOf = (payload: unknown, header: unknown = { typ: 'vc+jwt', alg: 'EdDSA' }) =>
  Buffer.from(`${base64Json(header)}.${base64Json(payload)}.c2ln`)

const claimsWith = (subject: Record<string, unknown>, members: Record<string, unknown> = {}) => ({
  '@context': ['https://www.w3.org/ns/credentials/v2'],
  type: ['VerifiableCredential', 'BitstringStatusListCredential'],
  issuer: did,
  ...members,
  credentialSubject: {
    type: 'BitstringStatusList',
    statusPurpose: 'revocation',
    encodedList: 'uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA',
    ...subject,
  },
})

const older = (metadata: Record<string, unknown> = {}, bytes = 32_768) => ({
  bitstringStatusListCredential: {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: { id: did },
    issuanceDate: '2025-01-01T00:00:00.000Z',
    credentialSubject: {
      type: 'BitstringStatusList',
      statusPurpose: 'message',
      encodedList: gzipSync(Buffer.alloc(bytes)).toString('base64url'),
    },
    proof: { type: 'JwtProof2020', jwt: 'a.b.c' },
  },
  metadata: { encrypted: false, encoding: 'base64url', length: 131_072, statusMessages: WORDS, ...metadata },
})
const parseJson = (value: unknown) => BitstringStatusList.parse(Buffer.from(JSON.stringify(value)))

const secured = async (created: StatusListCreateParameters) => {
  const doc = await BitstringStatusList.create(created, location, now)
  const envelope = BitstringStatusList.secure?.(doc, location, now)
  assert.ok(envelope)
  return { doc, envelope, claims: envelope.payload as ReturnType<typeof claimsWith> }
}

describe('BitstringStatusList as in the Recommendation', () => {
  it('creates a version 2.0 credential to be secured as vc+jwt', async () => {
    const { envelope } = await secured({ ...parameters, ttl: 300_000, validUntil: '2027-01-01T00:00:00Z' })
    assert.deepEqual(envelope, {
      typ: 'vc+jwt',
      header: { cty: 'vc' },
      payload: {
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        id: url,
        type: ['VerifiableCredential', 'BitstringStatusListCredential'],
        issuer: did,
        validFrom: '2026-01-02T03:04:05.000Z',
        validUntil: '2027-01-01T00:00:00Z',
        credentialSubject: {
          id: `${url}#list`,
          type: 'BitstringStatusList',
          statusPurpose: 'revocation',
          encodedList: 'uH4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA',
          ttl: 300_000,
        },
      },
    })
  })

  it('publishes the JWT itself and reads it back', async () => {
    const { doc, claims } = await secured(parameters)
    const jwt = jwtOf(claims).toString()
    assert.equal(Buffer.from(BitstringStatusList.serialise(doc, jwt)).toString(), jwt)
    const parsed = BitstringStatusList.parse(Buffer.from(jwt))
    assert.deepEqual(BitstringStatusList.securingOf?.(parsed), { jwt, issuer: did, id: url })
    assert.deepEqual(BitstringStatusList.toResource(parsed, 131_072), {
      bitstringStatusListCredential: claims,
      metadata: { encrypted: false, encoding: 'base64url', length: 131_072, statusSize: 1 },
      jwt,
    })
  })

  it('drops the old signature when the bits change', async () => {
    const parsed = BitstringStatusList.parse(jwtOf(claimsWith({ custom: 1 }, { more: 2 })))
    const frozen = structuredClone(parsed)
    const bits = new Uint8Array(16_384).fill(3)
    const packed = await BitstringStatusList.pack(parsed, bits)
    assert.deepEqual(parsed, frozen)
    assert.equal(BitstringStatusList.securingOf?.(packed), undefined)
    const payload = BitstringStatusList.secure?.(packed, location, now)?.payload as ReturnType<
      typeof claimsWith
    >
    const { encodedList } = payload.credentialSubject
    assert.deepEqual(payload, claimsWith({ custom: 1, encodedList }, { more: 2 }))
    assert.deepEqual(new Uint8Array(await BitstringStatusList.unpack(packed, MAX)), bits)
  })

  it('is readable by others', async () => {
    const bits = new Uint8Array(16_384)
    const layout = { statusSize: 1, order: 'msb' } as const
    for (const index of [0, 9, 131_071]) setEntry(bits, layout, index, 1)
    const { claims } = await secured({ ...parameters, bits })
    const { bitstringStatusList, Bitstring } = await oracles()
    const { encodedList } = claims.credentialSubject
    const list = await bitstringStatusList.decodeList({ encodedList })
    const buffer = Uint8Array.from(await Bitstring.decodeBits({ encoded: encodedList.slice(1) }))
    const bitstring = new Bitstring({ buffer })
    for (const [index, set] of [
      [0, true],
      [1, false],
      [9, true],
      [131_071, true],
    ] as const) {
      assert.equal(list.getStatus(index), set)
      assert.equal(bitstring.get(index), set)
    }
  })

  it('reads what others encode', async () => {
    const { bitstringStatusList } = await oracles()
    const list = await bitstringStatusList.createList({ length: 131_072 })
    list.setStatus(131_071, true)
    const doc = BitstringStatusList.parse(jwtOf(claimsWith({ encodedList: await list.encode() })))
    const bits = await BitstringStatusList.unpack(doc, MAX)
    assert.equal(bits.at(-1), 1)
    assert.equal(bits.filter((byte) => byte !== 0).length, 1)
  })

  for (const [name, { list, index, expectedValue }] of Object.entries(bitstringVectors.walt.fixtures)) {
    if (!name.startsWith('bitstringstatuslist/')) continue
    it(`reads ${name}`, async () => {
      const statusSize = name.includes('custom') ? 2 : 1
      const doc = BitstringStatusList.parse(jwtOf(claimsWith({ encodedList: list, statusSize })))
      const bits = await BitstringStatusList.unpack(doc, MAX)
      assert.equal(getEntry(bits, BitstringStatusList.describe(doc), Number(index)), expectedValue)
    })
  }

  it('uses two bits and messages for several purposes', async () => {
    const purposes = ['revocation', 'suspension']
    assert.equal(BitstringStatusList.defaultStatusSize(purposes), 2)
    assert.equal(BitstringStatusList.defaultStatusSize(['message']), 2)
    assert.equal(BitstringStatusList.defaultStatusSize(['refresh']), 1)
    const { claims } = await secured({ ...parameters, purposes, statusSize: 2 })
    const { encodedList, ...subject } = claims.credentialSubject
    assert.equal(gunzipSync(Buffer.from(encodedList.slice(1), 'base64url')).length, 32_768)
    assert.deepEqual(subject, {
      id: `${url}#list`,
      type: 'BitstringStatusList',
      statusPurpose: purposes,
      statusSize: 2,
      statusMessages: WORDS,
    })
  })

  const refusals: [string, Partial<StatusListCreateParameters>, path: string][] = [
    ['several purposes in one bit', { purposes: ['revocation', 'suspension'] }, 'statusSize'],
    ['four bits without messages', { statusSize: 4 }, 'statusMessages'],
    ['two bits with three messages', { statusSize: 2, statusMessages: WORDS.slice(0, 3) }, 'statusMessages'],
    ['hex', { encoding: 'hex' }, 'encoding'],
  ]
  for (const [title, members, path] of refusals) {
    it(`does not create ${title}`, () =>
      refused(() => BitstringStatusList.create({ ...parameters, ...members }, location, now), {
        code: 'invalid_input',
        path,
      }))
  }

  const bad: [string, Buffer, says?: RegExp][] = [
    ['raw gzip', gzipSync(Buffer.alloc(16_384))],
    ['text', Buffer.from('hello')],
    ['two parts', Buffer.from('a.b')],
    ['parts that are not JSON', Buffer.from('YQ.YQ.YQ')],
    ['another typ', jwtOf(claimsWith({}), { typ: 'JWT', alg: 'EdDSA' })],
    ['no u', jwtOf(claimsWith({ encodedList: 'H4sIAAAA' }))],
    ['another type', jwtOf({ ...claimsWith({}), type: ['VerifiableCredential'] })],
    ['another subject', jwtOf(claimsWith({ type: 'StatusList2021' }))],
    ['no purpose', jwtOf(claimsWith({ statusPurpose: [] }))],
    ['16 bits', jwtOf(claimsWith({ statusSize: 16 })), /statusSize: must be at most 8/],
    ['another iss', jwtOf(claimsWith({}, { iss: `${did}0` })), /iss: must be the issuer/],
    ['another jti', jwtOf(claimsWith({}, { id: 'urn:1', jti: 'urn:2' })), /jti: must be the id/],
    ['an exp that is not a number', jwtOf(claimsWith({}, { exp: '2030' })), /exp/],
    ['a credential without a signature', Buffer.from(JSON.stringify(claimsWith({})))],
  ]
  for (const [title, content, says] of bad) {
    it(`refuses to read ${title}`, () =>
      refused(() => BitstringStatusList.parse(content), { code: 'malformed_list', says }))
  }

  it('is valid within both its members and the claims of its JWT', () => {
    const seconds = Date.parse('2030-01-01T00:00:00Z') / 1000
    const validityOf = (members: Record<string, unknown>) => {
      const doc = BitstringStatusList.parse(jwtOf(claimsWith({}, members)))
      const { validFrom, validUntil } = BitstringStatusList.describe(doc)
      return [validFrom, validUntil]
    }
    assert.deepEqual(
      validityOf({ validFrom: '2020-01-01T00:00:00Z', validUntil: '2040-01-01T00:00:00Z', exp: seconds }),
      ['2020-01-01T00:00:00Z', '2030-01-01T00:00:00.000Z'],
    )
    assert.deepEqual(validityOf({ validFrom: '2020-01-01T00:00:00Z', nbf: seconds, exp: seconds + 1 }), [
      '2030-01-01T00:00:00.000Z',
      '2030-01-01T00:00:01.000Z',
    ])
    // unreadable content is left for the engine to refuse
    assert.deepEqual(validityOf({ validFrom: 'soon', validUntil: 'later', nbf: 1, exp: 2 }), [
      'soon',
      'later',
    ])
  })

  for (const encodedList of ['uH4sI=', 'uH4sI+A', 'uAAAAA', 'u', 'uH4sIAAAAAAAAA-3B']) {
    it(`refuses the encodedList ${encodedList}`, () =>
      refused(
        () => BitstringStatusList.unpack(BitstringStatusList.parse(jwtOf(claimsWith({ encodedList }))), MAX),
        {
          code: 'malformed_list',
        },
      ))
  }

  it('creates readable entries, with messages if several bits need them', () => {
    const layout = {
      statusSize: 2,
      order: 'msb',
      purposes: ['message'],
      statusMessages: WORDS,
      encrypted: false,
    } as const
    const entry = BitstringStatusList.entry(layout, location, 131_071, 'message')
    assert.deepEqual(entry, {
      type: 'BitstringStatusListEntry',
      id: `${url}#131071`,
      statusPurpose: 'message',
      statusListIndex: '131071',
      statusListCredential: url,
      statusSize: 2,
      statusMessage: WORDS,
    })
    assert.deepEqual(BitstringStatusList.readEntry(entry), {
      listUrl: url,
      index: 131_071,
      purpose: 'message',
      statusSize: 2,
      statusMessages: WORDS,
    })
  })

  it('includes messages in one-bit entries only if these have the purpose message', () => {
    const layout = { statusSize: 1, order: 'msb', encrypted: false } as const
    const own = [
      { status: '0x0', message: 'open' },
      { status: '0x1', message: 'closed' },
    ]
    const messageOf = (purpose: string, statusMessages?: typeof own) =>
      BitstringStatusList.entry(
        { ...layout, purposes: [purpose], ...(statusMessages && { statusMessages }) },
        location,
        1,
        purpose,
      ).statusMessage
    assert.deepEqual(messageOf('message', own), own)
    assert.deepEqual(messageOf('message'), [
      { status: '0x0', message: 'unset' },
      { status: '0x1', message: 'set' },
    ])
    assert.equal(messageOf('revocation', own), undefined)
  })
})

describe('BitstringStatusList as published by cheqd', () => {
  it('defaults to two bits and the reverse bit order', () => {
    const layoutOf = (metadata: Record<string, unknown>) => {
      const { statusSize, order, purposes, length } = BitstringStatusList.describe(parseJson(older(metadata)))
      return { statusSize, order, purposes, length }
    }
    const usual = { statusSize: 2, order: 'lsb-in-entry', purposes: ['message'], length: 131_072 }
    assert.deepEqual(layoutOf({}), usual)
    assert.deepEqual(layoutOf({ statusSize: 1 }), { ...usual, statusSize: 1 })
    assert.deepEqual(layoutOf({ bitOrder: 'msb' }), { ...usual, order: 'msb' })
  })

  it('keeps layout, proof and unknown members on update', async () => {
    const before = { ...older({ note: 'kept' }), outer: true }
    const doc = parseJson(before)
    const frozen = structuredClone(doc)
    const layout = BitstringStatusList.describe(doc)
    const bits = new Uint8Array(await BitstringStatusList.unpack(doc, MAX))
    setEntry(bits, layout, 0, 1)
    setEntry(bits, layout, 1, 2)
    const packed = await BitstringStatusList.pack(doc, bits)
    assert.deepEqual(doc, frozen)
    assert.equal(BitstringStatusList.secure?.(packed, location, now), undefined)
    const text = Buffer.from(BitstringStatusList.serialise(packed)).toString()
    const after = JSON.parse(text) as typeof before
    const { credentialSubject } = after.bitstringStatusListCredential
    assert.match(credentialSubject.encodedList, /^H4sI/)
    assert.equal(gunzipSync(Buffer.from(credentialSubject.encodedList, 'base64url'))[0], 0b1001_0000)
    const subject = before.bitstringStatusListCredential.credentialSubject
    credentialSubject.encodedList = subject.encodedList
    assert.equal(JSON.stringify(after), JSON.stringify(before))
  })

  it('detects an encrypted list', () => {
    assert.equal(BitstringStatusList.describe(parseJson(older({ encrypted: true }))).encrypted, true)
  })

  for (const metadata of [{ statusSize: 3 }, { statusSize: '2' }, { bitOrder: 'lsb' }, { length: -1 }]) {
    it(`refuses ${JSON.stringify(metadata)}`, () =>
      refused(() => parseJson(older(metadata)), { code: 'malformed_list' }))
  }
})
