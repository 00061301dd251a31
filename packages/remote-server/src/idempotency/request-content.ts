import { isJsonObject, type ApiKeyGrant } from '@vidimus/core-types'
import type { OperationInput } from '../input/operation-input.js'
import type { Operation } from '../operation.js'

/**
 * Everything that makes a request, as one text. It is what the operation read, not what was sent: the order of members,
 * white space and whether a body came as JSON or as a form make no difference.
 *
 * The rights of the API key are part of it, its end included, so that an answer which shows more than a key may ask for is
 * not given to it; another key of the same rights may repeat the request, unless its answer holds a secret.
 */
export function requestContent(
  { id, method, path, answersSecret }: Operation,
  { query, params, body }: OperationInput,
  grant: ApiKeyGrant | undefined,
): string {
  const lists = [grant?.scopes, grant?.networks].map((list) => list && [...list].sort())
  const rights = [...lists, grant?.expiresAt, answersSecret && grant?.id]
  return JSON.stringify([id, method, path, query, params, body, rights], inOrder)
}

/** Members by their names: their order says nothing in JSON (RFC 8259 4). */
const inOrder = (_name: string, value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
