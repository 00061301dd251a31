import assert from 'node:assert/strict'
import { isAgentError, type AgentError } from '@vidimus/core-types'

/** Asserts that a call is refused with a code and with problems at exactly these paths. */
export async function refused(call: Promise<unknown>, code: string, ...paths: string[]): Promise<AgentError> {
  const error = await call.then(
    () => assert.fail('was not refused'),
    (reason: unknown) => reason,
  )
  assert.ok(isAgentError(error), String(error))
  assert.equal(error.code, code, error.message)
  assert.deepEqual(
    error.details.map(({ path }) => path),
    paths,
    JSON.stringify(error.details),
  )
  return error
}
