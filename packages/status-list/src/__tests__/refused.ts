import assert from 'node:assert/strict'
import { isAgentError, type AgentError } from '@vidimus/core-types'

export interface Refusal {
  code: string
  /** of one of the details */
  path?: string
  says?: RegExp | undefined
}

/** Expects a call to be refused, and returns the error. */
export async function refused(work: () => unknown, { code, path, says }: Refusal): Promise<AgentError> {
  let error: unknown
  try {
    await work()
  } catch (thrown) {
    error = thrown
  }
  if (error === undefined) assert.fail(`not refused, but ${code} was expected`)
  assert.ok(isAgentError(error), error instanceof Error ? error : 'no error was thrown')
  const told = `${error.code}: ${error.message} ${JSON.stringify(error.details)}`
  assert.equal(error.code, code, told)
  if (path !== undefined)
    assert.ok(
      error.details.some((detail) => detail.path === path),
      told,
    )
  if (says) assert.match(told, says)
  return error
}
