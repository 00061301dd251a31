import assert from 'node:assert/strict'
import { isAgentError } from '@vidimus/core-types'
import { operationInput } from '../../input/operation-input.js'
import { operations } from '../../operations/index.js'

const VALUES = [[], '', {}, null, 0, 'x', -1, 1e15, false, [''], [[]], [{}], [-1], [null], { type: 1 }]

/** The error message of an operation about one invalid field of its body or query. */
function sentences(operation: (typeof operations)[number], name: string, value: unknown) {
  const body = operation.body?.shape && name in operation.body.shape ? operation.body : operation.query
  const read = operationInput({ ...(body && { body }) }, { depth: 16 })
  try {
    read({ query: '', params: {}, body: { format: 'json', text: JSON.stringify({ [name]: value }) } })
  } catch (error) {
    assert.ok(isAgentError(error), String(error))
    return error.details.filter(({ path }) => path.startsWith(name))
  }
  return []
}

describe('error messages of operations', () => {
  it('are never the text of the validator', () => {
    for (const operation of operations) {
      const names = [
        ...Object.keys(operation.body?.shape ?? {}),
        ...Object.keys(operation.query?.shape ?? {}),
      ]
      for (const name of names) {
        for (const value of VALUES) {
          for (const { path, message } of sentences(operation, name, value)) {
            assert.match(message, /^[a-z]/, `${operation.id} ${path}: ${message}`)
            assert.doesNotMatch(
              message,
              /\b1 (characters|entries)\b|expected|invalid/i,
              `${path}: ${message}`,
            )
          }
        }
      }
    }
  })

  for (const [id, name, value, message] of [
    ['credential-issue', 'credentialStatus', 'x', 'must be a JSON object or a list of at least one of them'],
    [
      'credential-issue',
      'credentialStatus',
      {},
      'must have a statusListName, to get an entry of that list, or be a ready entry with its type',
    ],
    ['credential-issue', 'credentialStatus', [], 'must be a JSON object or a list of at least one of them'],
    ['credential-issue', 'evidence', 'x', 'must be a JSON object or a list of at least one of them'],
    ['credential-verify', 'credential', '', 'must be a JWT string or a JSON object'],
    ['presentation-create', 'credentials', [], 'must have at least one credential'],
    ['update-status-list', 'indices', [], 'must have at least one index'],
    ['create-status-list', 'statusPurpose', [], 'must hold at least one purpose'],
  ] as const) {
    it(`explain what is needed for ${name} ${JSON.stringify(value)}`, () => {
      const operation = operations.find((one) => one.id === id)
      assert.ok(operation)
      assert.deepEqual(sentences(operation, name, value), [{ path: name, message }])
    })
  }
})
