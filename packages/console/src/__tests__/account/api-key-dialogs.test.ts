import assert from 'node:assert/strict'
import { grantableScopes, isWorking, keyState, labelOf, type ApiKey } from '../../account/api-key-dialogs.js'
import type { ApiDocument } from '../../rights.js'

const now = new Date('2027-01-31T12:00:00Z')
const key: ApiKey = {
  id: '1',
  account: 'acme',
  current: false,
  shown: 'vidimus_3Jx9…',
  createdAt: '2026-01-01T00:00:00Z',
}

describe('an API key in the console', () => {
  it('is in use until it is revoked, has expired or was replaced', () => {
    const over = '2027-01-31T12:00:00.000Z'
    const states: [Partial<ApiKey>, string, boolean][] = [
      [{}, 'in use', true],
      [{ expiresAt: '2027-02-01T00:00:00Z' }, 'in use', true],
      [{ expiresAt: over }, 'expired', false],
      [{ expiresAt: '2027-02-01T00:00:00Z', rotatedTo: '2' }, 'rotated, still accepted', true],
      [{ expiresAt: over, rotatedTo: '2' }, 'rotated', false],
      [{ expiresAt: over, revokedAt: over }, 'revoked', false],
    ]
    for (const [facts, state, works] of states) {
      assert.equal(keyState({ ...key, ...facts }, now), state)
      assert.equal(isWorking({ ...key, ...facts }, now), works, state)
    }
    assert.deepEqual([labelOf(key), labelOf({ ...key, name: 'ci' })], ['vidimus_3Jx9…', 'ci'])
  })

  it('passes on groups of operations, and never the rights of an operator', () => {
    const document = {
      paths: {
        '/did/list': { get: { operationId: 'did-list', 'x-scopes': ['dids', 'read', 'did-list'] } },
        '/operator/accounts': { get: { operationId: 'accounts', 'x-scopes': ['operator', 'accounts'] } },
      },
    } satisfies ApiDocument
    assert.deepEqual(grantableScopes(document, {}), ['dids', 'read'])
    assert.deepEqual(grantableScopes(document, { scopes: ['did-list', 'operator'] }), ['did-list'])
  })
})
