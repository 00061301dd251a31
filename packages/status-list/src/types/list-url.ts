import { asListName, asDid, listIdIn, hashListId, type StatusListLocation } from '@vidimus/core-types'
import { parse } from 'did-resolver'

/** Prefixes with which resolvers turn a DID URL into a web address. */
const RESOLVER_PREFIX = /^https:\/\/[^/?#\s]+(?:\/[^?#\s]*)?\/1\.0\/identifiers\/(?=did:)/

export { listUrl } from '@vidimus/core-types'

/**
 * Reads the URL of a list: `<did>?resourceName=<name>&resourceType=<type>`, with or without the address of a resolver
 * in front, which is never asked. The name may be percent-encoded or, as older credentials have it, plain.
 *
 * @returns `undefined` for every other URL, also for one that names a fixed version: its bits never change
 * @see DID Core section 3.2.1 and cheqd ADR 002 for the parameters
 */
export function parseListUrl(url: string): StatusListLocation | undefined {
  const didUrl = parse(url.replace(RESOLVER_PREFIX, ''))
  if (!didUrl || didUrl.path || didUrl.params || didUrl.fragment !== undefined) return undefined
  const parameters = (didUrl.query ?? '').split('&').map((parameter) => parameter.split('='))
  const values = new Map(parameters.map(([name = '', ...value]) => [name, percentDecoded(value.join('='))]))
  const statusListName = values.get('resourceName')
  const resourceType = values.get('resourceType')
  const nothingElse = parameters.length === 2 && values.size === 2
  return statusListName && resourceType && nothingElse
    ? { did: asDid(didUrl.did), statusListName: asListName(statusListName), resourceType }
    : undefined
}

/** Whether the identity in a document is that of this list. */
export function isNameOf(url: string, location: StatusListLocation): boolean {
  const { did, statusListName, resourceType } = location
  const named = parseListUrl(url)
  if (!named) return listIdIn(url) === hashListId(location)
  return named.did === did && named.statusListName === statusListName && named.resourceType === resourceType
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
