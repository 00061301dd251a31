import {
  BOUNDS,
  type CredentialStatusEntry,
  type CredentialStatusRequest,
  isDid,
  isJsonObject,
  schemaSentence,
} from '@vidimus/core-types'
import { z } from 'zod'

const NOT_IN_FREE_ORDER =
  'is not supported: a free index is taken at random out of the whole list; statusListIndex names a certain one'

/** What other services let the caller say about the choice of an index. */
const refused = z.undefined({ error: NOT_IN_FREE_ORDER }).optional()

const name = (what: string) => z.string({ error: what }).min(1, { error: what })

const notIndex = { error: 'must be a whole number from 0 on' }
const StatusListIndex = z.union(
  [z.int(notIndex).min(0, notIndex), z.string().regex(/^(0|[1-9]\d{0,14})$/, notIndex)],
  notIndex,
)

const notPurpose = { error: 'must be a purpose, or a list of them' }
const StatusPurpose = z.union(
  [z.string().min(1), z.array(z.string().min(1)).min(1).max(BOUNDS.statusEntries)],
  notPurpose,
)

/** {@link CredentialStatusRequest} */
export const StatusRequestSchema = z
  .strictObject({
    statusListName: name('must be the name of a status list'),
    did: z.string().refine(isDid, { error: 'must be the DID that publishes the list' }).optional(),
    listType: name('must be a type of status list').optional(),
    statusListType: name('must be a type of status list').optional(),
    statusPurpose: StatusPurpose.optional(),
    statusListIndex: StatusListIndex.optional(),
  })
  .refine(({ listType, statusListType }) => !listType || !statusListType || listType === statusListType, {
    path: ['statusListType'],
    error: 'must be the same as listType, where both are given',
  })

/** What is checked before the rest: fields that are refused with a sentence of their own. */
const RefusedFields = z.looseObject({
  statusListRangeStart: refused,
  statusListRangeEnd: refused,
  indexNotIn: refused,
})

/** {@link CredentialStatusEntry} */
export const StatusEntrySchema = z.looseObject({
  id: z.string({ error: 'must be a URL' }).optional(),
  type: name('is needed in a ready entry; to be given an entry, name a list by statusListName'),
})

/** Tells a request from a ready entry. */
export const isStatusRequest = (
  status: CredentialStatusRequest | CredentialStatusEntry,
): status is CredentialStatusRequest => 'statusListName' in status

/** A problem with its path below `credentialStatus`. */
interface StatusProblem {
  path: (string | number)[]
  message: string
}

/** What is wrong with the `credentialStatus` of a credential that is to be issued. */
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
  if (!('statusListName' in status)) return schemaProblems(StatusEntrySchema, status, path)
  const refusedFields = schemaProblems(RefusedFields, status, path)
  const others = Object.entries(status).filter(([field]) => !(field in RefusedFields.shape))
  return [...refusedFields, ...schemaProblems(StatusRequestSchema, Object.fromEntries(others), path)]
}

function schemaProblems(schema: z.ZodType, value: unknown, at: StatusProblem['path']): StatusProblem[] {
  const { error } = schema.safeParse(value, { error: schemaSentence })
  return (error?.issues ?? []).flatMap((issue) => {
    const path = [...at, ...issue.path.map(String)]
    if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }]
    return issue.keys.map((key) => ({ path: [...path, key], message: 'is not a known field' }))
  })
}
