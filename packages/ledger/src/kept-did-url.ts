import { normaliseDid, type DidUrl } from './identifiers.js'

/**
 * A DID URL as cheqd-node parses it: it begins where it can read to the end. Of a text with several `#` it only sees
 * what follows the last but one, and of one that ends with `#` nothing at all.
 */
export function splitKept(url: string): DidUrl {
  const [, did = '', path = '', query = '', fragment = ''] =
    /^([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.+))?$/s.exec(url.slice(fragmentStart(url))) ?? []
  return { did, path, query, fragment }
}

function fragmentStart(url: string): number {
  if (url.endsWith('#')) return url.length
  const last = url.lastIndexOf('#')
  return last < 1 ? 0 : url.lastIndexOf('#', last - 1) + 1
}

/** The ledger's reassembly of the parts of {@link splitKept}: an empty query is dropped. */
const join = ({ did, path, query, fragment }: DidUrl): string =>
  did + path + (query === '' ? '' : `?${query}`) + (fragment === '' ? '' : `#${fragment}`)

/** A text of a document after an update, which takes every text of a relationship for a DID URL. */
export const textAfterUpdate = (text: string): string => join(splitKept(text))

/** A DID URL as the ledger keeps it: a UUID in its DID in lower case, and no empty query. */
export function keptDidUrl(url: string): string {
  const parts = splitKept(url)
  return join({ ...parts, did: normaliseDid(parts.did) })
}
