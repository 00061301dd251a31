import assert from 'node:assert/strict'
import { isAgentError } from '@vidimus/core-types'
import fc from 'fast-check'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { signingInputOf } from '@vidimus/verification-methods'
import { parseJwt } from '../jwt/jwt-form.js'

const encode = (text: string | Uint8Array): string => Buffer.from(text).toString('base64url')
const HEADER = encode('{"alg":"EdDSA"}')
const PAYLOAD = encode('{"iss":"did:test:a"}')
const SIGNATURE = encode(new Uint8Array(64))

const refused = (jwt: unknown, message: RegExp, code = 'invalid_credential'): void => {
  assert.throws(
    () => parseJwt(jwt),
    (error: unknown) =>
      isAgentError(error) &&
      error.code === code &&
      error.details[0]?.path === 'jwt' &&
      message.test(error.details[0].message),
    JSON.stringify(jwt),
  )
}

describe('JWT parser', () => {
  it('splits a JWT into its parts', () => {
    const parsed = parseJwt(`${HEADER}.${PAYLOAD}.${SIGNATURE}`)
    assert.deepEqual(parsed.header, { alg: 'EdDSA' })
    assert.deepEqual(parsed.payload, { iss: 'did:test:a' })
    assert.equal(parsed.signature.length, 64)
    assert.equal(parsed.signingInput, `${HEADER}.${PAYLOAD}`)
  })

  it('refuses anything but three parts', () => {
    for (const jwt of [
      '',
      '.',
      '..',
      '...',
      HEADER,
      `${HEADER}.${PAYLOAD}`,
      `${HEADER}.${PAYLOAD}.`,
      'a.b.c.d',
      'a.b.c.d.e',
    ]) {
      refused(jwt, /three dot-separated parts/)
    }
    for (const jwt of [undefined, null, 7, {}, ['a.b.c']]) refused(jwt, /must be a string/)
  })

  it('refuses non-canonical base64url', () => {
    refused(`${HEADER}=.${PAYLOAD}.${SIGNATURE}`, /header.*base64url/)
    refused(`${HEADER}.${PAYLOAD}+/.${SIGNATURE}`, /payload.*base64url/)
    refused(`${HEADER}.${PAYLOAD}.${SIGNATURE} `, /signature.*base64url/)
    refused(`${HEADER}.${PAYLOAD}.${SIGNATURE.slice(0, -1)}B`, /signature.*base64url/)
    refused(` ${HEADER}.${PAYLOAD}.${SIGNATURE}`, /header.*base64url/)
  })

  it('refuses headers and payloads that are not JSON objects in UTF-8', () => {
    refused(`${HEADER}.${encode('{"a":')}.${SIGNATURE}`, /payload.*not JSON/)
    refused(`${HEADER}.${encode('[1]')}.${SIGNATURE}`, /payload.*JSON object/)
    refused(`${HEADER}.${encode('null')}.${SIGNATURE}`, /payload.*JSON object/)
    refused(`${encode('"alg"')}.${PAYLOAD}.${SIGNATURE}`, /header.*JSON object/)
    refused(`${HEADER}.${encode(Buffer.from('7b2261223a22ff227d', 'hex'))}.${SIGNATURE}`, /payload.*not JSON/)
    refused(`${HEADER}.${encode('\ufeff{}')}.${SIGNATURE}`, /payload.*not JSON/)
  })

  it('refuses unsupported algorithms and extensions', () => {
    for (const alg of ['none', 'None', 'HS256', 'RS512', 'ES512', 'eddsa', 'es384', '', 7, null]) {
      const jwt = `${encode(JSON.stringify({ alg }))}.${PAYLOAD}.${SIGNATURE}`
      refused(jwt, /alg.*is not supported/, 'algorithm_not_supported')
    }
    refused(`${encode('{}')}.${PAYLOAD}.${SIGNATURE}`, /alg.*missing/, 'algorithm_not_supported')
    refused(`${encode('{"alg":"EdDSA","crit":["b64"],"b64":false}')}.${PAYLOAD}.${SIGNATURE}`, /crit/)
  })

  it('round-trips, and writes what an independent library reads', () => {
    const object = fc.dictionary(
      fc.string().filter((name) => name !== '__proto__'),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(object, object, (header, payload) => {
        const jwt = `${signingInputOf({ ...header, alg: 'ES256' }, payload)}.${SIGNATURE}`
        const text = JSON.stringify(payload)
        assert.equal(JSON.stringify(decodeJwt(jwt)), text)
        assert.equal(decodeProtectedHeader(jwt).alg, 'ES256')
        if (!Object.hasOwn(header, 'crit')) assert.equal(JSON.stringify(parseJwt(jwt).payload), text)
      }),
    )
  })

  it('fails only with a refusal', () => {
    const part = fc.oneof(fc.string(), fc.constant(HEADER), fc.constant(PAYLOAD), fc.base64String())
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        try {
          parseJwt(parts.join('.'))
        } catch (error) {
          assert.ok(isAgentError(error))
        }
      }),
    )
  })
})
