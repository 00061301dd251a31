import type { IncomingHttpHeaders } from 'node:http'
import { isJsonObject } from '@vidimus/core-types'
import type { Operation } from '../operation.js'

export const PREFER_HEADER = 'prefer'
export const APPLIED_HEADER = 'preference-applied'
export const MINIMAL = 'return=minimal'

/** The first preference of a name counts (RFC 7240 2), and its value may be a quoted string. */
const RETURN = /(?:^|,)\s*return\s*=\s*"?(\w+)"?\s*(?=[,;]|$)/i

/**
 * Whether the client wants no copy of the resource that the operation created or changed, and the operation supports
 * that.
 */
export const wantsMinimal = (
  { withoutResource }: Operation,
  { [PREFER_HEADER]: header }: IncomingHttpHeaders,
): boolean => withoutResource === true && RETURN.exec(String(header ?? ''))?.[1]?.toLowerCase() === 'minimal'

/** The response without its resource; the rest is kept. */
export function minimalResult(result: unknown): unknown {
  if (!isJsonObject(result)) return result
  const { resource, ...others } = result
  return others
}

/** The same for a stored response to a request without this preference. */
export const minimalBody = (body: string): string =>
  JSON.stringify(minimalResult(JSON.parse(body) as unknown))
