import {
  OPERATOR_SCOPE,
  pointInTime,
  problemsError,
  schemaProblems,
  schemaSentence,
  type AgentError,
  type ApiKeyGrant,
  type ApiKeyRequest,
  type Network,
} from '@vidimus/core-types'
import { ApiKeyRequest as Request } from '@vidimus/core-types/schemas/api-keys'

/** What an API key may do, where, and until when. Omitted limits do not apply. */
export interface ApiKeyRights {
  scopes?: readonly string[]
  networks?: readonly Network[]
  /** ISO 8601 in UTC, milliseconds and all, so that times compare as text */
  expiresAt?: string
  /** the identity provider whose token made the key, or one that made it: its keys end with the provider */
  issuer?: string
}

export interface CheckedRequest extends ApiKeyRights {
  name?: string
}

/**
 * Checks the rights requested for a new key.
 *
 * @throws AgentError `invalid_input` with every problem
 */
export function checkedRequest(
  { name, expiresAt, scopes, networks }: ApiKeyRequest,
  now: Date,
): CheckedRequest {
  const given = Object.entries({ name, expiresAt, scopes, networks }).filter(([, value]) => isGiven(value))
  const { data, error } = Request.safeParse(Object.fromEntries(given), { error: schemaSentence })
  const problems = schemaProblems(error?.issues ?? [])
  const time = pointInTime(expiresAt)
  if (time !== undefined && Date.parse(time) <= now.getTime()) {
    problems.push({ path: 'expiresAt', message: 'must be in the future' })
  }
  if (!data || problems.length > 0) throw problemsError('invalid_input', problems)
  return {
    ...(data.name !== undefined && { name: data.name }),
    ...(time !== undefined && { expiresAt: time }),
    ...(data.scopes && { scopes: [...new Set(data.scopes)] }),
    ...(data.networks && { networks: [...new Set(data.networks)] }),
  }
}

/** The rights that exceed those of `own`, in readable form; empty if none do. An operator's exceed any. */
export function rightsBeyond(rights: ApiKeyRights, own: ApiKeyRights): string[] {
  const isOperator = rights.scopes?.includes(OPERATOR_SCOPE)
  return [
    ...(isOperator ? ['scopes'] : beyond('scopes', rights.scopes, own.scopes)),
    ...beyond('networks', rights.networks, own.networks),
    ...(expiryTime(rights) > expiryTime(own) ? ['expiresAt'] : []),
  ]
}

const expiryTime = ({ expiresAt }: ApiKeyRights): number =>
  expiresAt === undefined ? Infinity : Date.parse(expiresAt)

/** Omitted limits are inherited from the caller. */
export const inheriting = (request: CheckedRequest, own: ApiKeyRights): CheckedRequest => ({
  ...(own.scopes && { scopes: own.scopes.filter((scope) => scope !== OPERATOR_SCOPE) }),
  ...(own.networks && { networks: own.networks }),
  ...(own.expiresAt !== undefined && { expiresAt: own.expiresAt }),
  ...request,
  ...(own.issuer !== undefined && { issuer: own.issuer }),
})

export const moreThanOwn = (paths: readonly string[]): AgentError =>
  problemsError(
    'forbidden',
    paths.map((path) => ({ path, message: 'an API key cannot manage one with more rights than its own' })),
  )

/** The limits as stored in a column: a JSON list, or nothing. */
export const listText = (list: readonly string[] | undefined): string | null =>
  list === undefined ? null : JSON.stringify(list)

/** @returns the part that authentication needs */
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
