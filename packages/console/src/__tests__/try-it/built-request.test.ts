import assert from 'node:assert/strict'
import { apiDocument } from '../../../../remote-server/src/docs/api-document.js'
import { operations } from '../../../../remote-server/src/operations/index.js'
import { builtRequest, fieldKey, FormProblems } from '../../try-it/built-request.js'
import { readOperations, type ApiDocument } from '../../try-it/operation-form.js'

const document = JSON.parse(
  JSON.stringify(
    apiDocument(operations, {
      publicUrl: undefined,
      servesIdentifiers: true,
      servesLists: true,
      idempotency: { begin: () => Promise.resolve({ outcome: 'busy' }) },
    }),
  ),
) as ApiDocument
const forms = readOperations(document)
const formOf = (id: string) => forms.find((form) => form.id === id) ?? assert.fail(id)

describe('operation forms', () => {
  it('exist for every operation, with every field', () => {
    for (const { id, params, query, body } of operations) {
      const names = formOf(id).fields.map(fieldKey)
      const expected = [
        ...Object.keys(params?.shape ?? {}).map((name) => `path.${name}`),
        ...Object.keys(query?.shape ?? {}).map((name) => `query.${name}`),
        ...Object.keys(body?.shape ?? {}).map((name) => `body.${name}`),
      ]
      const missing = expected.filter((name) => !names.includes(name))
      // ignored parameters have no field
      assert.deepEqual(
        missing.filter(
          (name) => !/credentialCategory|state|symmetricKey|feePayment|policies|secret/.test(name),
        ),
        [],
        id,
      )
    }
  })

  it('send the examples of the API document unchanged', () => {
    let looked = 0
    for (const { id, examples = [] } of operations) {
      const form = formOf(id)
      for (const [n, { body }] of examples.entries()) {
        const values = form.examples[n]?.values
        if (!body || !values) continue
        const needed = form.fields.filter(({ place, required }) => place !== 'body' && required)
        const request = builtRequest(form, {
          ...Object.fromEntries(needed.map((field) => [fieldKey(field), 'x'])),
          ...Object.fromEntries(Object.entries(values).map(([name, text]) => [`body.${name}`, text])),
        })
        assert.deepEqual(JSON.parse(request.body ?? ''), body, id)
        looked += 1
      }
    }
    assert.ok(looked > 15)
  })

  it('put every value in its place', () => {
    const request = builtRequest(formOf('update-status-list'), {
      'query.listType': 'BitstringStatusList',
      'query.statusAction': 'revoke & more',
      'body.did': ' did:cheqd:testnet:a ',
      'body.statusListName': 'true',
      'body.indices': '[1, 2]',
      'header.idempotency-key': 'k1',
    })
    assert.equal(
      request.path,
      '/credential-status/update/unencrypted?listType=BitstringStatusList&statusAction=revoke+%26+more',
    )
    assert.deepEqual(request.headers, { 'idempotency-key': 'k1', 'content-type': 'application/json' })
    assert.deepEqual(JSON.parse(request.body ?? ''), {
      did: 'did:cheqd:testnet:a',
      statusListName: 'true',
      indices: [1, 2],
    })
    assert.equal(request.keyed, true)
    const read = builtRequest(formOf('did-search'), { 'path.did': 'did:web:a/b?c' })
    assert.deepEqual(read, {
      method: 'GET',
      path: '/did/search/did%3Aweb%3Aa%2Fb%3Fc',
      headers: {},
      keyed: true,
    })
    assert.equal(builtRequest(formOf('health-live'), {}).keyed, false)
  })

  it('report every wrong or missing field', () => {
    const problemsOf = (id: string, values: Record<string, string>) => {
      try {
        builtRequest(formOf(id), values)
        return assert.fail('there should be problems')
      } catch (error) {
        assert.ok(error instanceof FormProblems)
        return Object.fromEntries(error.problems)
      }
    }
    assert.deepEqual(
      problemsOf('check-status-list', { 'body.did': 'x', 'body.index': 'two', 'body.indices': '[1,' }),
      {
        'query.listType': 'is required',
        'query.statusPurpose': 'is required',
        'body.index': 'must be a number',
        'body.indices': 'is not JSON',
      },
    )
  })

  it('mask private keys while typing', () => {
    const field = formOf('key-import').fields.find(({ name }) => name === 'privateKeyHex')
    assert.equal(field?.kind, 'secret')
  })
})
