import { isJsonObject, tokenHolder, type ApiKeyGrant } from '@vidimus/core-types'
import type { OperationInput } from '../input/operation-input.js'
import type { Operation } from '../operation.js'

/**
 * The complete content of a request as one text. It is made from the input as read, not as sent: the order of members,
 * white space and the choice of JSON or form make no difference.
 *
 * The rights of the API key are included, also its expiry, so that a key cannot get a response that exceeds its rights;
 * another key with the same rights may repeat the request, unless its response contains a secret. Bearer tokens are
 * renewed every few minutes, so that their expiry does not count.
 */
export function requestContent(
  { id, method, path, answersSecret }: Operation,
  { query, params, body }: OperationInput,
  grant: ApiKeyGrant | undefined,
): string {
  const lists = [grant?.scopes, grant?.networks].map((list) => list && [...list].sort())
  const expiry = grant && tokenHolder(grant.id) ? 'of a token' : grant?.expiresAt
  const rights = [...lists, expiry, answersSecret && grant?.id]
  return JSON.stringify([id, method, path, query, params, body, rights], inOrder)
}

/** Sorts members by name: JSON objects are unordered (RFC 8259 4). */
const inOrder = (_name: string, value: unknown): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
