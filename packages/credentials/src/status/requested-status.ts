import {
  BOUNDS,
  type CredentialStatusEntry,
  type CredentialStatusRequest,
  isJsonObject,
  parseUsual,
  schemaSentence,
} from '@vidimus/core-types'
import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'

const NOT_IN_FREE_ORDER =
  'is not supported: a random free index of the whole list is allocated; use statusListIndex for a specific one'

/** Index allocation options of other services. */
const refused = z.undefined({ error: NOT_IN_FREE_ORDER }).optional()

/** Checked first: fields that are refused with a specific message. */
const RefusedFields = z.looseObject({
  statusListRangeStart: refused,
  statusListRangeEnd: refused,
  indexNotIn: refused,
})

/** Distinguishes a request from a ready entry. */
export const isStatusRequest = (
  status: CredentialStatusRequest | CredentialStatusEntry,
): status is CredentialStatusRequest => 'statusListName' in status

/** A problem with its path below `credentialStatus`. */
interface StatusProblem {
  path: (string | number)[]
  message: string
}

/** Problems of the `credentialStatus` of a new credential. */
export function requestedStatusProblems(credentialStatus: unknown): StatusProblem[] {
  if (credentialStatus === undefined) return []
  if (!Array.isArray(credentialStatus)) return problemsOfOne(credentialStatus, [])
  const count = credentialStatus.length
  if (count === 0 || count > BOUNDS.statusEntries) {
    const message = `must hold 1 to ${BOUNDS.statusEntries} entries or requests, not ${count}`
    return [{ path: [], message }]
  }
  return credentialStatus.flatMap((one: unknown, n) => problemsOfOne(one, [n]))
}

function problemsOfOne(status: unknown, path: StatusProblem['path']): StatusProblem[] {
  if (!isJsonObject(status)) {
    return [{ path, message: 'must be a JSON object: a ready entry, or a request with a statusListName' }]
  }
  if (!('statusListName' in status)) return schemaProblems(schemas.CredentialStatusEntry, status, path)
  const refusedFields = schemaProblems(RefusedFields, status, path)
  const others = Object.entries(status).filter(([field]) => !(field in RefusedFields.shape))
  return [
    ...refusedFields,
    ...schemaProblems(schemas.CredentialStatusRequest, Object.fromEntries(others), path),
  ]
}

function schemaProblems(schema: z.ZodType, value: unknown, at: StatusProblem['path']): StatusProblem[] {
  const { error } = parseUsual(schema, value, schemaSentence)
  return (error?.issues ?? []).flatMap((issue) => {
    const path = [...at, ...issue.path.map(String)]
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.map((key) => ({ path: [...path, key], message: 'is not a known field' }))
  })
}
