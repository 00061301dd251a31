import {
  BOUNDS,
  isLongerThan,
  NETWORKS,
  NO_TIME,
  OPERATOR_SCOPE,
  pointInTime,
  problemsError,
  type AgentError,
  type ApiKeyGrant,
  type Network,
  type Problem,
} from '@vidimus/core-types'

/** What an API key may do, where, and until when. What is left out is not limited. */
export interface ApiKeyRights {
  scopes?: readonly string[]
  networks?: readonly Network[]
  /** ISO 8601 in UTC, milliseconds and all, so that times compare as text */
  expiresAt?: string
}

/** Ids of operations and names of groups, those of plugins among them. */
const SCOPE = /^[a-z0-9][a-z0-9:-]{0,63}$/i

export interface CheckedRequest extends ApiKeyRights {
  name?: string
}

/**
 * Checks what is asked of a new key.
 *
 * @throws AgentError `invalid_input` with every problem
 */
export function checkedRequest(
  { name, expiresAt, scopes, networks }: Record<'name' | 'expiresAt' | 'scopes' | 'networks', unknown>,
  now: Date,
): CheckedRequest {
  const expiry = checkedExpiry(expiresAt, now)
  const problems = [
    ...nameProblems(name),
    ...expiry.problems,
    ...listProblems('scopes', scopes, (scope) => typeof scope === 'string' && SCOPE.test(scope), 'a scope'),
    ...listProblems('networks', networks, isNetwork, NETWORKS.join(' or ')),
  ]
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  return {
    ...(isGiven(name) && { name: name as string }),
    ...(expiry.time !== undefined && { expiresAt: expiry.time }),
    ...(isGiven(scopes) && { scopes: [...new Set(scopes as string[])] }),
    ...(isGiven(networks) && { networks: [...new Set(networks as Network[])] }),
  }
}

/** What of the rights goes beyond those of `own`, as people call it; empty: nothing. An operator's go beyond any. */
export function rightsBeyond(rights: ApiKeyRights, own: ApiKeyRights): string[] {
  const isOperator = rights.scopes?.includes(OPERATOR_SCOPE)
  return [
    ...(isOperator ? ['scopes'] : beyond('scopes', rights.scopes, own.scopes)),
    ...beyond('networks', rights.networks, own.networks),
    ...(endOf(rights) > endOf(own) ? ['expiresAt'] : []),
  ]
}

const endOf = ({ expiresAt }: ApiKeyRights): number =>
  expiresAt === undefined ? Infinity : Date.parse(expiresAt)

/** What was left out is as it is for whoever asks. */
export const inheriting = (request: CheckedRequest, own: ApiKeyRights): CheckedRequest => ({
  ...(own.scopes && { scopes: own.scopes.filter((scope) => scope !== OPERATOR_SCOPE) }),
  ...(own.networks && { networks: own.networks }),
  ...(own.expiresAt !== undefined && { expiresAt: own.expiresAt }),
  ...request,
})

export const moreThanOwn = (paths: readonly string[]): AgentError =>
  problemsError(
    'forbidden',
    paths.map((path) => ({ path, message: 'an API key cannot handle one that may do more than itself' })),
  )

/** The limits as they stand in a column: a JSON list, or nothing. */
export const listText = (list: readonly string[] | undefined): string | null =>
  list === undefined ? null : JSON.stringify(list)

/** @returns what a look-up for authentication needs of them */
export const grantOf = (
  id: string,
  {
    scopes,
    networks,
    expires_at: expiresAt,
  }: Readonly<Record<'scopes' | 'networks' | 'expires_at', string | null>>,
): ApiKeyGrant => ({
  id,
  ...(expiresAt !== null && { expiresAt }),
  ...(scopes !== null && { scopes: JSON.parse(scopes) as string[] }),
  ...(networks !== null && { networks: JSON.parse(networks) as Network[] }),
})

function beyond(
  path: string,
  wanted: readonly string[] | undefined,
  own: readonly string[] | undefined,
): string[] {
  if (own === undefined) return []
  return wanted?.every((one) => own.includes(one)) ? [] : [path]
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== ''

const isNetwork = (value: unknown) => NETWORKS.some((network) => network === value)

function nameProblems(name: unknown): Problem[] {
  if (!isGiven(name) || (typeof name === 'string' && !isLongerThan(name, BOUNDS.name))) return []
  return [{ path: 'name', message: `must be text of ${BOUNDS.name} characters at most` }]
}

function checkedExpiry(expiresAt: unknown, now: Date): { time?: string; problems: Problem[] } {
  if (!isGiven(expiresAt)) return { problems: [] }
  const path = 'expiresAt'
  const time = pointInTime(expiresAt)
  if (time === undefined) return { problems: [{ path, message: NO_TIME }] }
  if (Date.parse(time) > now.getTime()) return { time, problems: [] }
  return { problems: [{ path, message: 'must be in the future' }] }
}

function listProblems(
  path: string,
  list: unknown,
  fits: (one: unknown) => boolean,
  shape: string,
): Problem[] {
  if (!isGiven(list)) return []
  if (!Array.isArray(list) || list.length === 0 || list.length > BOUNDS.scopes) {
    return [{ path, message: `must be a list of 1 to ${BOUNDS.scopes}; left out, nothing is limited` }]
  }
  return list.flatMap((one, n) => (fits(one) ? [] : [{ path: `${path}[${n}]`, message: `must be ${shape}` }]))
}
