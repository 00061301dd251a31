import { pointInTime, problemsError, type Problem } from '@vidimus/core-types'
import { flawOfText, malformedBody } from '../input/malformed-body.js'

/** Tolerated clock skew of clients into the future, in milliseconds. */
const AHEAD_MS = 60_000
const SECONDS = /^\d{1,12}$/

/** The requested time of the version; absent: now. */
export interface ListQuery {
  time?: Date
  /** in the future, for which no version is known */
  isToCome?: true
}

/**
 * The id of the list in a path.
 *
 * @param path - below that of status lists, as sent
 * @throws AgentError `malformed_body`
 */
export function listIdIn(path: string): string {
  let id: string
  try {
    id = decodeURIComponent(path.slice(1))
  } catch {
    throw malformedBody('statusListId', 'is not percent-encoded UTF-8', 'path')
  }
  const flaw = flawOfText(id)
  if (flaw !== undefined) throw malformedBody('statusListId', flaw, 'path')
  return id
}

/**
 * Reads `time` in seconds since 1970 (Token Status List, section 8.4), or `timestamp` (Bitstring Status List, section 3.2).
 *
 * @throws AgentError `invalid_input`
 */
export function listQuery(url: string, now: Date): ListQuery {
  const { searchParams } = new URL(url, 'https://localhost')
  const problems: Problem[] = []
  const names = [...searchParams.keys()]
  for (const name of names.filter((one) => one !== 'time' && one !== 'timestamp')) {
    problems.push({ path: name.slice(0, 100), message: 'is not a parameter; known: time, timestamp' })
  }
  if (names.length > 1) problems.push({ path: '', message: 'give either time or timestamp, once' })
  const time = searchParams.get('time')
  const timestamp = searchParams.get('timestamp')
  if (time !== null && !SECONDS.test(time)) {
    problems.push({ path: 'time', message: 'must be in whole seconds since 1970' })
  }
  const moment = timestamp === null ? undefined : pointInTime(timestamp)
  if (timestamp !== null && moment === undefined) {
    problems.push({ path: 'timestamp', message: 'must be a date and time with Z or an offset' })
  }
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  if (time === null && moment === undefined) return {}
  const asked = time === null ? new Date(String(moment)) : new Date(Number(time) * 1000)
  return asked.getTime() > now.getTime() + AHEAD_MS ? { isToCome: true } : { time: asked }
}
