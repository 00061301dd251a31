import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { decodeSdJwt, getClaims } from '@sd-jwt/decode'
import fc from 'fast-check'
import { parseSdJwt } from '../sd-jwt/parse-sd-jwt.js'
import { ForeignSigner } from './foreign-signer.js'
import { digest, disclosure, foreignSdJwt, partsOf, sdJwtSetUp } from './sd-jwt-setup.js'
import { assertRefused } from './verification-setup.js'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a hostile SD-JWT', () => {
  it('is refused with disclosures that collide, repeat or are not referenced', async () => {
    const { issuer, verify } = await sdJwtSetUp()
    const name = disclosure('name', 'Ada')
    const again = disclosure('name', 'Eve')
    const element = disclosure('FR')
    const isNamed = (n: unknown) => disclosure(n, 1)
    const chain = Array.from({ length: 70 }).reduce<string[]>((all) => {
      const last = all.at(-1)
      return [...all, disclosure('a', last === undefined ? 1 : { _sd: [digest(last)] })]
    }, [])
    const cases: [string, Record<string, unknown>, string[], RegExp][] = [
      [
        'a claim that is there',
        { name: 'Bob', _sd: [digest(name)] },
        [name],
        /it contains the claim "name" twice/,
      ],
      ['two of one name', { _sd: [digest(name), digest(again)] }, [name, again], /the claim "name" twice/],
      ['one that is repeated', { _sd: [digest(name)] }, [name, name], /it contains a disclosure twice/],
      ['a digest that is repeated', { _sd: [digest(name), digest(name)] }, [name], /contains a digest twice/],
      ['a decoy that is repeated', { _sd: ['x'], a: { _sd: ['x'] } }, [], /contains a digest twice/],
      [
        'a digest at two places',
        { _sd: [digest(name)], b: { _sd: [digest(name)] } },
        [name],
        /contains a digest twice/,
      ],
      ['one without a digest', {}, [name], /without a signed digest/],
      [
        'one inside of a withheld one',
        { _sd: [digest(disclosure('a', { _sd: [digest(name)] }))] },
        [name],
        /without a signed digest/,
      ],
      [
        'a claim as an element',
        { list: [{ '...': digest(name) }] },
        [name],
        /of a claim is used for a list element/,
      ],
      [
        'an element as a claim',
        { _sd: [digest(element)] },
        [element],
        /of a list element is used for a claim/,
      ],
      [
        'an element with more',
        { list: [{ '...': digest(element), a: 1 }] },
        [element],
        /has members besides its digest/,
      ],
      ['a digest that is a number', { _sd: [7] }, [], /a digest in it must be a string/],
      ['digests that are no list', { _sd: 'x' }, [], /_sd must be a list/],
      ['a member called as an element', { a: { '...': 'x' } }, [], /"\.\.\." is a reserved claim name/],
      [
        'a claim called as digests',
        { _sd: [digest(isNamed('_sd'))] },
        [isNamed('_sd')],
        /not a reserved name/,
      ],
      ['a hash nobody takes', { _sd_alg: 'md5', _sd: [digest(name)] }, [name], /_sd_alg must be one of/],
      ['a hash of an object', { _sd_alg: 'constructor', _sd: [] }, [name], /_sd_alg must be one of/],
      ['levels without end', { _sd: [digest(chain.at(-1) ?? '')] }, chain, /nested deeper than 64/],
      ['too many of them', {}, Array.from({ length: 1001 }, () => 'e30'), /more than 1000/],
    ]
    for (const [title, claims, disclosures, message] of cases) {
      const result = await verify(foreignSdJwt(issuer, claims, disclosures))
      assert.equal(result.verified, false, title)
      assertRefused(result, 'format', message)
    }
    for (const claim of ['status', 'iss', 'exp', 'nbf', 'cnf', 'vct', 'aud']) {
      const hidden = disclosure(claim, claim === 'status' ? {} : 'x')
      const text = foreignSdJwt(issuer, { [claim]: undefined, _sd: [digest(hidden)] }, [hidden])
      const { problems = [] } = await verify(text)
      assert.ok(
        problems.some(({ message }) => message === `its ${claim} must not be selectively disclosable`),
      )
    }
  })

  it('is refused with malformed parts', async () => {
    const { issuer, verify } = await sdJwtSetUp()
    const texts = [
      'e30',
      'W10',
      encode(['s']),
      encode([1, 'a', 2]),
      encode(['s', 1, 2]),
      encode(['s', 'a', 1, 2]),
      '!',
      'W10=',
      'W11',
    ]
    for (const text of texts)
      assertRefused(await verify(foreignSdJwt(issuer, {}, [text])), 'format', /disclosure|disclosed/)
    const sdJwt = foreignSdJwt(issuer, {})
    for (const [text, message] of [
      [`${sdJwt}${issuer.sign({}, { typ: 'kb+jwt' })}`, /must end with "~"/],
      ['~', /not a signed JWT/],
      ['~~', /not a signed JWT|disclosure/],
      [`.${sdJwt}`, /not a signed JWT|not JSON|base64url/],
      [foreignSdJwt(issuer, {}, [], { typ: 'JWT' }), /its typ is "JWT", but that of a dc\+sd-jwt/],
      [foreignSdJwt(issuer, {}, [], { typ: undefined }), /its typ is absent/],
      [foreignSdJwt(issuer, { iss: 'http://issuer.example' }), /its iss must be a DID/],
      [foreignSdJwt(issuer, { status: { status_list: { _sd: [digest('a')] } } }), /its status must not be/],
      [foreignSdJwt(issuer, { vct: 7 }), /its vct must be a text/],
      [foreignSdJwt(issuer, {}, [], { alg: 'none' }), /alg of the JWT is "none"/],
      [foreignSdJwt(issuer, {}, [], { alg: 'HS256' }), /alg of the JWT is "HS256"/],
      [foreignSdJwt(issuer, {}, [], { crit: ['x'] }), /crit/],
    ] as const) {
      assertRefused(await verify(text), 'format', message)
    }
    assertRefused(
      await verify(foreignSdJwt(issuer, {}, [], { alg: 'ES256' })),
      'signature',
      /does not match|is invalid/,
    )
    const named = foreignSdJwt(issuer, { iss: 'https://issuer.example' })
    assertRefused(await verify(named), 'signature', /no certificates/)
    const other = new ForeignSigner('did:test:other', new Map())
    assertRefused(
      await verify(foreignSdJwt(other, { iss: issuer.did })),
      'signature',
      /not a key of "did:test:issuer"/,
    )
  })

  it('cannot pollute prototypes through claim names', async () => {
    const { issuer, verify } = await sdJwtSetUp()
    const hidden = Buffer.from('["c2FsdA","__proto__",{"polluted":true}]').toString('base64url')
    const { credential, verified } = await verify(foreignSdJwt(issuer, { _sd: [digest(hidden)] }, [hidden]))
    assert.equal(verified, true)
    assert.equal((credential as { polluted?: boolean }).polluted, undefined)
    assert.equal(({} as { polluted?: boolean }).polluted, undefined)
  })

  it('is either read or refused, and never fails otherwise', () => {
    const issuer = new ForeignSigner('did:test:issuer', new Map())
    const pool = [disclosure('a', 1), disclosure('b', { _sd: ['x'] }), disclosure('c'), 'W10', '']
    const anything = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(...pool.map((text) => digest(text)), 'x', 1, null, true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom('_sd', '...', '_sd_alg', 'a', 'b', '__proto__'), tie('value'), {
          maxKeys: 4,
        }),
      ),
    })).value
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('_sd', 'a', 'b', 'list', '_sd_alg'), anything, { maxKeys: 4 }),
        fc.array(fc.constantFrom(...pool), { maxLength: 4 }),
        (claims, disclosures) => {
          try {
            const { disclosed } = parseSdJwt(foreignSdJwt(issuer, claims, disclosures))
            assert.equal(disclosed.length, disclosures.length)
          } catch (error) {
            assert.equal((error as { code?: string }).code, 'invalid_credential')
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it('yields the same claims as with @sd-jwt/core', async () => {
    const { issuer } = await sdJwtSetUp()
    const hasher = (data: string | ArrayBuffer) =>
      createHash('sha256')
        .update(typeof data === 'string' ? data : new Uint8Array(data))
        .digest()
    const leaf = fc.oneof(fc.string({ maxLength: 5 }), fc.integer())
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(fc.stringMatching(/^claim[a-z]{1,3}$/), leaf), {
          selector: ([name]) => name,
          maxLength: 5,
        }),
        fc.array(leaf, { maxLength: 4 }),
        async (members, elements) => {
          const named = members.map(([name, value]) => disclosure(name, value))
          const listed = elements.map((value) => disclosure(value))
          const claims = {
            _sd: named.map((text) => digest(text)),
            LIST: listed.map((text) => ({ '...': digest(text) })),
          }
          const text = foreignSdJwt(issuer, claims, [...named, ...listed])
          const decoded = await decodeSdJwt(text, hasher)
          const theirs = await getClaims(decoded.jwt.payload, decoded.disclosures, hasher)
          assert.deepEqual(parseSdJwt(text).claims, theirs)
          assert.equal(partsOf(text).disclosures.length, members.length + elements.length)
        },
      ),
      { numRuns: 100 },
    )
  })
})
