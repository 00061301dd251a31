import type { StatusListLocation } from './status-list-type.js'

/**
 * The DID URL under which the newest version of a list is found. The name is percent-encoded, as a query needs it.
 */
export const listUrl = ({ did, statusListName, resourceType }: StatusListLocation): string =>
  `${did}?resourceName=${encodeURIComponent(statusListName)}&resourceType=${encodeURIComponent(resourceType)}`
