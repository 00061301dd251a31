import assert from 'node:assert/strict'
import { z } from 'zod'
import { fieldKinds } from '../input/field-kind.js'
import { operations } from '../operations/index.js'
import { DEFAULT_METHODS } from '../rpc/method-list.js'
import { SCOPE_NAMES } from '../admission/scopes.js'
import { NAMED_RIGHTS, scopesOf, scopesOfCall } from '../admission/scope-table.js'

describe('operations', () => {
  it('have unique ids and routes', () => {
    const ids = operations.map(({ id }) => id)
    const routes = operations.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(ids, [...new Set(ids)])
    assert.deepEqual(routes, [...new Set(routes)])
  })

  it('include the six paths of the contract', () => {
    const paths = operations.filter(({ method }) => method === 'post').map(({ path }) => path)
    for (const path of [
      '/did/create',
      '/did/import',
      '/key/import',
      '/credential-status/update/unencrypted',
      '/credential-status/check',
      '/presentation/create',
    ]) {
      assert.ok(paths.includes(path), path)
    }
  })

  it('accept an idempotency key if they change, may spend or sign something', () => {
    assert.deepEqual(
      operations.filter(({ changes }) => !changes).map(({ id }) => id),
      [
        'did-rotation-read',
        'did-list',
        'did-read',
        'did-search',
        'did-document',
        'key-kms',
        'key-list',
        'key-read',
        'resource-search',
        'search-status-list',
        'status-list-entries',
        'status-list-types',
        'list-status-lists',
        'status-list-versions',
        'status-list-payments',
        'status-job-list',
        'status-job-read',
        'status-job-report',
        'verify-receipt',
        'credential-entries',
        'account-usage',
        'account-audit',
        'api-key-list',
        'event-list',
        'webhook-list',
        'webhook-dead-letters',
        'operator-account-list',
        'operator-session-list',
        'operator-health',
        'work-list',
        'operator-work-list',
        'registrar-properties',
        'vc-api-verify-credential',
        'vc-api-verify-presentation',
      ],
    )
    // an operation that requires only `read` changes nothing, but may spend
    const spending = ['check-status-list', 'credential-verify', 'presentation-verify']
    for (const { id, method, changes } of operations) {
      if (method === 'get') assert.ok(!changes, id)
      else if (changes && scopesOf(id).includes('read')) assert.ok(spending.includes(id), id)
    }
  })

  it('are each in the scope table once, as are the agent methods', () => {
    assert.deepEqual(NAMED_RIGHTS, [...new Set(NAMED_RIGHTS)])
    const ids = operations.map(({ id }) => id).filter((id) => !id.startsWith('operator-'))
    const names = [...ids, ...DEFAULT_METHODS, 'keyManagerSignEthTX']
    assert.deepEqual([...NAMED_RIGHTS].sort(), names.sort())
  })

  it('beyond one account need the scope of operators, and their ids are no scopes', () => {
    const ofOperators = operations.filter(({ path }) => path.startsWith('/operator/'))
    assert.equal(ofOperators.length, 13)
    for (const { id } of ofOperators) {
      assert.deepEqual(scopesOf(id), ['operator'])
      assert.ok(!SCOPE_NAMES.includes(id), id)
    }
    assert.deepEqual(
      operations.filter(({ id }) => scopesOf(id).includes('operator')),
      ofOperators,
    )
  })

  it('need the same scopes as the corresponding agent methods', () => {
    const pairs: [operation: string, method: string, args?: object][] = [
      ['create-status-list', 'statusListCreate', { encrypted: false }],
      ['create-encrypted-status-list', 'statusListCreate', { encrypted: true }],
      ['update-status-list', 'statusListUpdate'],
      ['update-encrypted-status-list', 'statusListUpdate', { encrypted: true }],
      ['credential-revoke', 'statusListUpdateCredential', { statusAction: 'revoke' }],
      ['credential-suspend', 'statusListUpdateCredential', { statusAction: 'suspend' }],
      ['credential-reinstate', 'statusListUpdateCredential', { statusAction: 'reinstate' }],
      ['status-list-payments', 'statusListPayments'],
      ['credential-issue', 'createVerifiableCredential'],
      ['did-create', 'didManagerCreate'],
      ['key-create', 'keyManagerCreate'],
    ]
    for (const [operation, method, args = {}] of pairs) {
      const bare = (scopes: readonly string[]) => scopes.filter((one) => one !== operation && one !== method)
      assert.deepEqual(bare(scopesOfCall(method, { ...args })), bare(scopesOf(operation)), method)
    }
  })

  for (const { id, query, params, body, examples = [] } of operations) {
    it(`${id} refuses unknown fields and accepts its own examples`, () => {
      for (const schema of [query, params, body]) {
        if (!schema) continue
        assert.doesNotThrow(() => fieldKinds(schema.shape))
        const issues = schema.safeParse({ surprise: 1 }).error?.issues ?? []
        assert.ok(issues.some(({ code }) => code === 'unrecognized_keys'))
      }
      for (const example of examples) {
        if (example.query) assert.ok(query)
        z.parse(query ?? z.strictObject({}), example.query ?? {})
        z.parse(body ?? z.strictObject({}), example.body ?? {})
      }
    })
  }
})
