import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { decode, encode, Tagged } from 'cborg'
import { decodeCbor, decodeSign1, encodeSign1 } from '../../encoding/cose-sign1.js'
import { readStatusListCwt } from '../../types/token-status-cwt.js'
import { refused } from '../refused.js'

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

/** draft-ietf-oauth-status-list, section 5.2: a Status List Token, as drafts since 15 have it, with a tag. */
const EXAMPLE =
  'd2845820a2012610781a6170706c69636174696f6e2f7374617475736c6973742b637774a1044231325850a502782168747470733a2f2f6578616d706c652e636f6d2f7374617475736c697374732f31061a648c5bea041a8898dfea19fffe19a8c019fffda2646269747301636c73744a78dadbb918000217015d584093fa4d01032b18c35e2fe1101b77fd6cc9440022caa4694450c4e4e9feab4e99d1fa6d9772ce2bf3a12e0323ded7c982c5e101a5e67f0cbc1e2b6f57ce99c279'
/** The key of its examples. */
const KEY = createPublicKey({
  format: 'jwk',
  key: {
    kty: 'EC',
    crv: 'P-256',
    x: 'I3HWm_0Ds1dPMI-IWmf4mBmH-YaeAVbPVu7vB27CxXo',
    y: '6N_d5Elj9bs1htgV3okJKIdbHEpkgTmAluYKJemzn1M',
  },
})

describe('COSE_Sign1', () => {
  it('reads the example of the specification and verifies its signature', () => {
    const { claims, signed } = readStatusListCwt(hex(EXAMPLE))
    assert.deepEqual(claims, {
      sub: 'https://example.com/statuslists/1',
      iat: 1_686_920_170,
      exp: 2_291_720_170,
      ttl: 43_200,
      status_list: { bits: 1, lst: 'eNrbuRgAAhcBXQ' },
    })
    assert.equal(signed.algorithm, 'ES256')
    assert.ok(verify('sha256', signed.signed, { key: KEY, dsaEncoding: 'ieee-p1363' }, signed.signature))
  })

  it('reads the same without a tag, as in draft 14, and with an outer CWT tag', () => {
    const claims = readStatusListCwt(hex(EXAMPLE)).claims
    assert.deepEqual(readStatusListCwt(hex(EXAMPLE.slice(2))).claims, claims)
    assert.deepEqual(readStatusListCwt(hex(`d83d${EXAMPLE}`)).claims, claims)
  })

  it('writes what an independent reader of the tag expects', () => {
    const [header, payload, signature] = [hex('a10126'), hex('a0'), new Uint8Array(64)]
    const message: unknown = decode(encodeSign1(header, payload, signature), {
      useMaps: true,
      tags: Tagged.preserve(18),
    })
    assert.deepEqual(message, new Tagged(18, [header, new Map(), payload, signature]))
  })

  const [, ...rest] = EXAMPLE.match(/../g) ?? []
  const bad: [title: string, bytes: Uint8Array][] = [
    ['nothing', new Uint8Array()],
    ['malformed CBOR', hex('ff')],
    ['truncated input', hex(EXAMPLE.slice(0, 200))],
    ['trailing input', hex(`${EXAMPLE}00`)],
    ['another tag', hex(`d1${rest.join('')}`)],
    ['three parts', encode([new Uint8Array(), new Map(), new Uint8Array()])],
    ['a payload that is not bytes', encode([hex('a10126'), new Map(), null, new Uint8Array(64)])],
    ['an alg in the unprotected header', sign1(new Map(), new Map([[1, -7]]))],
    ['a MAC algorithm', sign1(new Map([[1, 5]]))],
    ['a missing alg', sign1(new Map())],
    [
      'required extensions',
      sign1(
        new Map<number, unknown>([
          [1, -7],
          [2, [99]],
        ]),
      ),
    ],
    ['a repeated key', hex('d28447a201260126a04040')],
    ['indefinite length', hex('9f43a10126a04040ff')],
    ['deep nesting', Uint8Array.from({ length: 1_000_000 }, () => 0x81)],
    ['deeply nested tags', Uint8Array.from({ length: 1_000_000 }, () => 0xd2)],
    ['an array with an endless length', hex('9bffffffffffffffff')],
    ['a text with an endless length', hex('7bffffffffffffffff')],
  ]
  for (const [title, bytes] of bad) {
    it(`refuses ${title}`, () => refused(() => decodeSign1(bytes), { code: 'malformed_list' }))
  }

  it('refuses anything but a Status List Token', async () => {
    const typ = [16, 'application/statuslist+cwt'] as const
    const list = new Map<string, unknown>([
      ['bits', 1],
      ['lst', 'text'],
    ])
    for (const bytes of [
      sign1(new Map([[1, -7]]), new Map(), encode(new Map())),
      sign1(new Map<number, unknown>([[1, -7], typ]), new Map(), encode([1])),
      sign1(new Map<number, unknown>([[1, -7], typ]), new Map(), encode(new Map())),
      sign1(new Map<number, unknown>([[1, -7], typ]), new Map(), encode(new Map([[65_533, list]]))),
    ]) {
      await refused(() => readStatusListCwt(bytes), { code: 'malformed_list' })
    }
  })

  it('reads input nested up to the general limit', () => {
    assert.deepEqual(decodeCbor(hex('8181818101'), 'it'), [[[[1]]]])
    assert.deepEqual(decodeCbor(hex('82a10102a10304'), 'it'), [new Map([[1, 2]]), new Map([[3, 4]])])
  })
})

function sign1(
  header: Map<number, unknown>,
  unprotected = new Map<number, unknown>(),
  payload: Uint8Array = new Uint8Array(),
): Uint8Array {
  return encode([encode(header), unprotected, payload, new Uint8Array(64)])
}
