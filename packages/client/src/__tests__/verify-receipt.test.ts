import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { CompactSign } from 'jose'
import { verifyReceipt } from '../index.js'

const DID = 'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0'
const KID = `${DID}#key-1`
const TYP = 'status-receipt+jwt'

/** With entry 5 set. */
const bits = (size: number, value: number, order: 'msb' | 'lsb' = 'msb') => {
  const bytes = Buffer.alloc(16_384)
  for (let n = 0; n < size; n += 1) {
    const position = 5 * size + n
    const isSet = (value >> (order === 'msb' ? size - 1 - n : n)) & 1
    const offset = order === 'msb' ? 7 - (position % 8) : position % 8
    bytes[Math.floor(position / 8)] = (bytes[Math.floor(position / 8)] ?? 0) | (isSet << offset)
  }
  return bytes
}
const jwtOf = (payload: object) =>
  ['{"alg":"EdDSA"}', JSON.stringify(payload), 'x']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
const bitstring = (more: object = {}, encodedList = `u${gzipSync(bits(1, 1)).toString('base64url')}`) =>
  jwtOf({ credentialSubject: { statusPurpose: 'revocation', encodedList, ...more } })
const token = (size: number, value: number) =>
  jwtOf({ status_list: { bits: size, lst: deflateSync(bits(size, value, 'lsb')).toString('base64url') } })
const list2021 = (metadata: object, encodedList: string) =>
  JSON.stringify({ StatusList2021: { statusPurpose: 'revocation', encodedList }, metadata })

const KEYS = {
  EdDSA: generateKeyPairSync('ed25519'),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES256K: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
}
type Algorithm = keyof typeof KEYS

const claimsFor = (list: string, more: object = {}) => ({
  iss: DID,
  iat: 1_769_851_800,
  list: `${DID}?resourceName=employees&resourceType=BitstringStatusListCredential`,
  indices: [5],
  action: 'revoke',
  status: 1,
  resourceId: '9f6a2b1c-3d4e-4f5a-8b6c-7d8e9f0a1b2c',
  resourceVersion: '',
  checksum: createHash('sha256').update(list).digest('hex'),
  ...more,
})

/** By another implementation: jose, and OpenSSL for the curve that it does not know. */
function signed(
  claims: object,
  alg: Algorithm = 'EdDSA',
  header: object = {},
  key: KeyObject = KEYS[alg].privateKey,
) {
  const whole = { alg, typ: TYP, kid: KID, ...header }
  const payload = Buffer.from(JSON.stringify(claims))
  if (alg !== 'ES256K') return new CompactSign(payload).setProtectedHeader(whole).sign(key)
  const input = `${Buffer.from(JSON.stringify(whole)).toString('base64url')}.${payload.toString('base64url')}`
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return Promise.resolve(`${input}.${signature.toString('base64url')}`)
}

const CURVES = { ES256: 'P-256', ES256K: 'secp256k1' }

/** The public key is at the end of the DER. */
function jwkOf(alg: Algorithm): { kty: string; crv: string; x: string; y?: string } {
  const der = KEYS[alg].publicKey.export({ format: 'der', type: 'spki' })
  const last = (from: number, to?: number) => der.subarray(from, to).toString('base64url')
  if (alg === 'EdDSA') return { kty: 'OKP', crv: 'Ed25519', x: last(-32) }
  return { kty: 'EC', crv: CURVES[alg], x: last(-64, -32), y: last(-32) }
}
const documentWith = (method: object, assertionMethod: unknown = [KID]) => ({
  id: DID,
  verificationMethod: [{ id: KID, type: 'JsonWebKey2020', controller: DID, ...method }],
  assertionMethod,
})
const document = (alg: Algorithm = 'EdDSA') => documentWith({ publicKeyJwk: jwkOf(alg) })
const bytesOf = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')

describe('verifyReceipt', () => {
  const verdictOf = async (list: string, more: object = {}, didDocument: object = document()) =>
    verifyReceipt(await signed(claimsFor(list, more)), { didDocument, list })
  const isVerified = async (...args: Parameters<typeof verdictOf>) => (await verdictOf(...args)).verified

  for (const alg of Object.keys(KEYS) as Algorithm[]) {
    it(`verifies ${alg} signatures of other libraries, and nothing that was changed`, async () => {
      const list = bitstring()
      const receipt = await signed(claimsFor(list), alg)
      const evidence = { didDocument: document(alg), list }
      assert.deepEqual(await verifyReceipt(receipt, evidence), {
        verified: true,
        receipt: claimsFor(list),
        checks: ['format', 'signature', 'version', 'status'].map((check) => ({ check, ok: true })),
      })
      for (const other of Object.keys(KEYS) as Algorithm[]) {
        if (other === alg) continue
        assert.equal(
          (await verifyReceipt(receipt, { ...evidence, didDocument: document(other) })).verified,
          false,
        )
        const confused = await signed(claimsFor(list), alg, {}).then((text) => {
          const [, payload, signature] = text.split('.')
          const header = Buffer.from(JSON.stringify({ alg: other, typ: TYP, kid: KID })).toString('base64url')
          return `${header}.${payload}.${signature}`
        })
        assert.equal((await verifyReceipt(confused, evidence)).verified, false)
      }
    })
  }

  it('reads keys as written in DID documents', async () => {
    const { x = '' } = jwkOf('EdDSA')
    const { x: px, y: py } = jwkOf('ES256')
    const compressed = Buffer.concat([Buffer.of((bytesOf(py).at(-1) ?? 0) % 2 === 0 ? 2 : 3), bytesOf(px)])
    const multibase = (prefix: number[], key: Buffer) =>
      `z${base58.encode(Buffer.concat([Buffer.from(prefix), key]))}`
    const ed = { type: 'Ed25519VerificationKey2020', publicKeyMultibase: multibase([0xed, 1], bytesOf(x)) }
    const older = { type: 'Ed25519VerificationKey2018', publicKeyBase58: base58.encode(bytesOf(x)) }
    const list = bitstring()
    for (const didDocument of [
      documentWith(ed),
      documentWith(older),
      documentWith(ed, ['#key-1']),
      documentWith({ ...ed, id: '#key-1' }),
      { id: DID, assertionMethod: [{ id: KID, ...ed }] },
    ])
      assert.equal(await isVerified(list, {}, didDocument), true, JSON.stringify(didDocument))
    const p256 = documentWith({ type: 'Multikey', publicKeyMultibase: multibase([0x80, 0x24], compressed) })
    const receipt = await signed(claimsFor(list), 'ES256')
    assert.equal((await verifyReceipt(receipt, { didDocument: p256, list })).verified, true)
    for (const didDocument of [
      documentWith(ed, []),
      documentWith(ed, [`${DID}#other`]),
      { ...documentWith(ed), id: 'did:cheqd:testnet:other' },
      documentWith({ publicKeyMultibase: multibase([0xed, 2], bytesOf(x)) }),
      documentWith({ publicKeyMultibase: `z${'1'.repeat(100_000)}` }),
      documentWith({ publicKeyJwk: { kty: 'oct', k: x } }),
      documentWith({}),
    ])
      assert.equal(await isVerified(list, {}, didDocument), false, JSON.stringify(didDocument).slice(0, 300))
  })

  it('reads the entries of every list format', async () => {
    const gzipped = gzipSync(bits(1, 1))
    for (const list of [
      bitstring(),
      list2021({}, gzipped.toString('base64url')),
      list2021({}, gzipped.toString('base64')),
      list2021({ encoding: 'hex' }, gzipped.toString('hex')),
      token(1, 1),
      token(2, 1),
      token(8, 1),
    ]) {
      assert.equal(await isVerified(list), true, list.slice(0, 80))
      assert.equal(await isVerified(list, { indices: [5, 6] }), false)
      assert.equal(await isVerified(list, { indices: [200_000] }), false)
    }
    assert.equal(await isVerified(token(2, 2), { action: 'suspend', status: 2 }), true)
    assert.equal(await isVerified(token(2, 2), { action: 'revoke', status: 2 }), false)
    const wide = bitstring(
      { statusPurpose: 'message', statusSize: 4 },
      `u${gzipSync(bits(4, 11)).toString('base64url')}`,
    )
    assert.equal(await isVerified(wide, { action: 'pending', status: 11 }), true)
    assert.equal(await isVerified(wide, { action: 'pending', status: 13 }), false)
    assert.equal(await isVerified(bitstring({ statusPurpose: 'suspension' })), false)
  })

  it('proves the version of an encrypted list, but not its entries', async () => {
    for (const list of [bitstring({ encryption: 'x' }), list2021({ encrypted: true }, 'AAAA')]) {
      const { verified, checks } = await verdictOf(list)
      assert.deepEqual(
        [verified, checks.map(({ check }) => check)],
        [true, ['format', 'signature', 'version']],
      )
    }
  })

  it('reports why a receipt does not verify, and never throws on hostile input', async () => {
    const bomb = bitstring({}, `u${gzipSync(Buffer.alloc(80_000_000)).toString('base64url')}`)
    for (const list of [
      bomb,
      bitstring({}, 'uAAAA'),
      bitstring({}, 'zAAAA'),
      bitstring({ statusSize: 0 }),
      '{}',
      'x.y',
      '',
    ])
      assert.equal(await isVerified(list), false, list.slice(0, 80))
    const list = bitstring()
    for (const header of [
      { typ: 'JWT' },
      { typ: undefined },
      { kid: undefined },
      { kid: 'key-1' },
      { kid: 7 },
    ]) {
      const receipt = await signed(claimsFor(list), 'EdDSA', header)
      assert.equal(
        (await verifyReceipt(receipt, { didDocument: document(), list })).verified,
        false,
        JSON.stringify(header),
      )
    }
    for (const more of [
      { iss: undefined },
      { indices: 5 },
      { checksum: 'x' },
      { status: 1.5 },
      { iat: 'now' },
    ])
      assert.equal(await isVerified(list, more), false, JSON.stringify(more))
    const stranger = generateKeyPairSync('ed25519').privateKey
    const foreign = await signed(claimsFor(list), 'EdDSA', {}, stranger)
    const { problems, receipt } = await verifyReceipt(foreign, { didDocument: document(), list })
    assert.deepEqual(
      [problems, receipt],
      [[{ path: 'receipt', message: 'its signature is invalid' }], undefined],
    )
  })

  it('rejects any other text, and any receipt with one character changed', async () => {
    const list = bitstring()
    const receipt = await signed(claimsFor(list))
    const evidence = { didDocument: document(), list }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        assert.equal((await verifyReceipt(text, evidence)).verified, false)
      }),
      { numRuns: 200 },
    )
    const character = fc.constantFrom(...'ABCabc019-_.=+/ ')
    await fc.assert(
      fc.asyncProperty(fc.nat(receipt.length - 1), character, async (at, other) => {
        fc.pre(receipt[at] !== other)
        const changed = receipt.slice(0, at) + other + receipt.slice(at + 1)
        assert.equal((await verifyReceipt(changed, evidence)).verified, false)
      }),
      { numRuns: 200 },
    )
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (claims, didDocument) => {
        const odd = await signed({ ...claimsFor(list), indices: claims })
        const given = { didDocument: didDocument as object, list }
        assert.equal((await verifyReceipt(odd, given)).verified, false)
      }),
      { numRuns: 60 },
    )
  })
})
