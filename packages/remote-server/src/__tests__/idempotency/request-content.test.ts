import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { requestContent } from '../../idempotency/idempotent-answers.js'
import { apiKeyCreate } from '../../operations/api-key-create.js'
import { apiKeyRotate } from '../../operations/api-key-rotate.js'
import { didCreate } from '../../operations/did-create.js'
import { didImport } from '../../operations/did-import.js'
import { operations } from '../../operations/index.js'
import { operatorAccountCreate } from '../../operations/operator-account-create.js'
import { webhookCreate } from '../../operations/webhook-create.js'

const content = (body: unknown, others: { query?: unknown; params?: unknown } = {}) =>
  requestContent(didCreate, { query: {}, params: {}, ...others, body }, undefined)

/** As received: JSON does not distinguish negative zero from zero. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** The same value with the members of every object in another order. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, turned(member)]),
  )
}

describe('content of a request', () => {
  it('is the same for members in any order, and different for any other value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        assert.equal(content(turned(one)), content(one))
        assert.equal(content(one) === content(other), isDeepStrictEqual(sent(one), sent(other)))
      }),
      { examples: [[[], {}]] },
    )
  })

  it('distinguishes query, path parameters, body and operations', () => {
    const input = { query: {}, params: {}, body: {} }
    const member = { did: 'did:key:z6Mk' }
    const contents = [
      content({}),
      content(member),
      content({}, { query: member }),
      content({}, { params: member }),
      requestContent(didImport, input, undefined),
    ]
    assert.equal(new Set(contents).size, contents.length)
  })

  it('includes the rights of the API key, but not its identity', () => {
    const of = (grant?: Parameters<typeof requestContent>[2]) =>
      requestContent(didCreate, { query: {}, params: {}, body: {} }, grant)
    assert.equal(of({ id: '1' }), of())
    assert.equal(of({ id: '1', scopes: ['dids', 'read'] }), of({ id: '2', scopes: ['read', 'dids'] }))
    const rights = [
      of(),
      of({ id: '1', scopes: ['dids'] }),
      of({ id: '1', scopes: [] }),
      of({ id: '1', networks: ['testnet'] }),
      of({ id: '1', networks: ['mainnet'] }),
      of({ id: '1', expiresAt: '2027-01-01T00:00:00.000Z' }),
      of({ id: '1', expiresAt: '2028-01-01T00:00:00.000Z' }),
    ]
    assert.equal(new Set(rights).size, rights.length)
  })

  it('includes the identity of the key if the response contains a secret', () => {
    for (const operation of [apiKeyCreate, apiKeyRotate, webhookCreate, operatorAccountCreate]) {
      const of = (id: string) => requestContent(operation, { query: {}, params: {}, body: {} }, { id })
      assert.equal(of('1'), of('1'))
      assert.notEqual(of('1'), of('2'))
    }
    const answering = operations.filter(({ answersSecret }) => answersSecret).map(({ id }) => id)
    const secret = /"(apiKey|secret|created)"/
    const shown = operations.filter(({ responseExample }) => secret.test(JSON.stringify(responseExample)))
    assert.deepEqual(
      answering,
      shown
        .filter(({ method }) => method === 'post')
        .map(({ id }) => id)
        .filter((id) => /^(api-key|webhook|operator-account)-/.test(id)),
    )
  })
})
