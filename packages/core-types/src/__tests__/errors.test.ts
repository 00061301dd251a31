import assert from 'node:assert/strict'
import { AgentError, isAgentError, problemsError } from '../errors.js'

describe('AgentError', () => {
  it('carries code, message, details and cause', () => {
    const cause = new Error('inner')
    const error = new AgentError('did_not_found', 'did: unknown', {
      cause,
      details: [{ path: 'did', message: 'unknown' }],
    })
    assert.equal(error.cause, cause)
    assert.equal(error.code, 'did_not_found')
    assert.deepEqual(error.details, [{ path: 'did', message: 'unknown' }])
  })

  it('is recognised even if the package is loaded twice', () => {
    const foreign = Object.assign(new Error('did: unknown'), {
      name: 'AgentError',
      code: 'did_not_found',
      details: [],
    })
    assert.ok(isAgentError(foreign))
    assert.ok(!isAgentError(new Error('AgentError')))
    assert.ok(!isAgentError({ name: 'AgentError', code: 'x', details: [] }))
  })

  it('summarises several problems', () => {
    const error = problemsError('invalid_input', [
      { path: 'did', message: 'is missing' },
      { path: 'indices', message: 'is missing' },
    ])
    assert.equal(error.message, 'did: is missing (and 1 more)')
    assert.equal(error.details.length, 2)
  })
})
