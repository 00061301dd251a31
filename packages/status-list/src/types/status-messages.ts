import type { Problem, StatusListLayout, StatusMessage } from '@vidimus/core-types'
import { z } from 'zod'

/** `status` and `message` of one value; further members are the publisher's own. */
export const StatusMessageSchema = z.looseObject({ status: z.string(), message: z.string() })

/** The default meaning of the values. */
const DEFAULTS: Record<number, readonly string[]> = {
  1: ['unset', 'set'],
  2: ['valid', 'revoked', 'suspended', 'unknown'],
}

/** The messages of a new list whose publisher names none; there are none for 4 and 8 bits. */
export const defaultStatusMessages = (statusSize: number): StatusMessage[] | undefined =>
  DEFAULTS[statusSize]?.map((message, value) => ({ status: `0x${value.toString(16)}`, message }))

/**
 * The value of a `status` as the specification writes it: hexadecimal with `0x`.
 *
 * @returns `undefined` for anything else
 */
export const valueOfStatus = (status: string): number | undefined =>
  /^0x[0-9a-f]{1,6}$/i.test(status) ? Number.parseInt(status.slice(2), 16) : undefined

/** The message of a value, if the list has one. */
export const statusMessage = (
  { statusMessages = [] }: Pick<StatusListLayout, 'statusMessages'>,
  value: number,
): string | undefined => statusMessages.find(({ status }) => valueOfStatus(status) === value)?.message

/**
 * The problems of these messages for a new list: each value of the width needs exactly one, and no two values may
 * share one, except for the text `undefined` that the specification reserves.
 *
 * @see W3C Bitstring Status List v1.0, section 2.1, `statusMessage`
 */
export function statusMessageProblems(messages: readonly StatusMessage[], statusSize: number): Problem[] {
  const most = 2 ** statusSize
  const problems: Problem[] = []
  if (messages.length !== most) {
    const message = `must hold ${most} messages, one for each value of ${statusSize} bits, not ${messages.length}`
    problems.push({ path: 'statusMessages', message })
  }
  const seen = new Set<number | string>()
  messages.forEach(({ status, message }, n) => {
    const value = valueOfStatus(status)
    const path = `statusMessages[${n}]`
    if (value === undefined || value >= most) {
      const range = `0x0 to 0x${(most - 1).toString(16)}`
      problems.push({ path: `${path}.status`, message: `"${status}" is not a value from ${range}` })
    } else if (seen.has(value)) {
      problems.push({ path: `${path}.status`, message: `"${status}" already has a message` })
    }
    if (message !== 'undefined' && seen.has(message)) {
      problems.push({
        path: `${path}.message`,
        message: `"${message}" is already the message of another value`,
      })
    }
    if (value !== undefined) seen.add(value)
    seen.add(message)
  })
  return problems
}

/** Whether two lists of messages define the same for every value. */
export function agreeingMessages(left: readonly StatusMessage[], right: readonly StatusMessage[]): boolean {
  const byValue = (messages: readonly StatusMessage[]) =>
    JSON.stringify(
      messages
        .map(({ status, message }) => [valueOfStatus(status) ?? status, message])
        .sort(([a], [b]) => Number(a) - Number(b)),
    )
  return byValue(left) === byValue(right)
}
