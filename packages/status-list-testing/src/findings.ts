import assert from 'node:assert/strict'
import { isAgentError, type AgentError, type ErrorCode } from '@vidimus/core-types'

/** @param finding - the problem, as a sentence for the author of a type */
export function demand(condition: unknown, finding: string): asserts condition {
  assert.ok(condition, finding)
}

/** As {@link demand}, and shows how the two differ. */
export function demandEqual(actual: unknown, expected: unknown, finding: string): void {
  try {
    assert.deepStrictEqual(actual, expected)
  } catch (difference) {
    if (!(difference instanceof assert.AssertionError)) throw difference
    assert.fail(`${finding}\n${difference.message}`)
  }
}

/** Bytes compared by their first difference: a dump of both would not help. */
export function demandSameBytes(actual: Uint8Array, expected: Uint8Array, finding: string): void {
  demand(
    actual.length === expected.length,
    `${finding}: ${actual.length} bytes instead of ${expected.length}`,
  )
  const place = actual.findIndex((byte, n) => byte !== expected[n])
  demand(
    place === -1,
    `${finding}: byte ${place} is ${hex(actual[place])} instead of ${hex(expected[place])}`,
  )
}

/**
 * Runs something that may be refused.
 *
 * @param what - names it in findings
 * @returns the refusal, or `undefined` if it succeeded
 */
export async function findRefusal(
  what: string,
  codes: readonly ErrorCode[],
  work: () => unknown,
): Promise<AgentError | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return refusalAmong(what, codes, error)
  }
}

/** For checks that run many thousand times within one tick. */
export function valueOrRefusal<T>(
  what: string,
  codes: readonly ErrorCode[],
  work: () => T,
): { value: T } | { refusal: AgentError } {
  try {
    return { value: work() }
  } catch (error) {
    return { refusal: refusalAmong(what, codes, error) }
  }
}

/** Expects a refusal. */
export async function demandRefused(
  what: string,
  codes: readonly ErrorCode[],
  work: () => unknown,
): Promise<AgentError> {
  const refusal = await findRefusal(what, codes, work)
  demand(refusal, `${what}: must be refused with an AgentError ${codes.join(' or ')}, but went through`)
  return refusal
}

function refusalAmong(what: string, codes: readonly ErrorCode[], error: unknown): AgentError {
  if (error instanceof assert.AssertionError) throw error
  demand(
    isAgentError(error),
    `${what}: threw ${describeError(error)}, but callers understand an AgentError alone (${codes.join(' or ')})`,
  )
  demand(
    codes.includes(error.code),
    `${what}: threw an AgentError ${error.code} ("${error.message}") instead of ${codes.join(' or ')}`,
  )
  return error
}

export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = isAgentError(error) ? ` ${error.code}` : ''
  return `${error.name}${code} "${error.message}"`
}

const hex = (byte: number | undefined): string => `0x${(byte ?? 0).toString(16).padStart(2, '0')}`
