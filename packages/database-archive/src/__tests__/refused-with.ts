import assert from 'node:assert/strict'
import { isAgentError, type ErrorCode } from '@vidimus/core-types'

/** Expects a sentence for the operator, with its code. */
export const refusedWith = (call: Promise<unknown>, code: ErrorCode, says: RegExp): Promise<void> =>
  assert.rejects(call, (error) => {
    assert.ok(isAgentError(error), String(error))
    assert.equal(error.code, code)
    assert.match(error.message, says)
    return true
  })
