import { createHash } from 'node:crypto'
import { didAsKept } from './did-spelling.js'
import type { StatusListLocation } from './status-list-type.js'

/**
 * The DID URL under which the newest version of a list is found. The name is percent-encoded, as a query needs it.
 */
export const listUrl = ({ did, statusListName, resourceType }: StatusListLocation): string =>
  `${did}?resourceName=${encodeURIComponent(statusListName)}&resourceType=${encodeURIComponent(resourceType)}`

/** The base of the https addresses of lists, under the public URL of a service. */
export const LISTS_PATH = '/status-lists'

/** Characters of an id: 128 bits in base64url. */
const ID_LENGTH = 22
const ADDRESS = /^https?:\/\/[^?#\s]+\/status-lists\/([A-Za-z0-9_-]{22})$/

/**
 * The id of a list in its https address. It is derived from where the list is published, so that a reader of the list
 * there can tell whether an https address is its own.
 */
export const hashListId = ({ did, statusListName, resourceType }: StatusListLocation): string =>
  createHash('sha256')
    .update(JSON.stringify([didAsKept(did), statusListName, resourceType]))
    .digest('base64url')
    .slice(0, ID_LENGTH)

/** The https address of a list. @param publicUrl - without a slash at the end */
export const listAddress = (publicUrl: string, id: string): string => `${publicUrl}${LISTS_PATH}/${id}`

/** The id in an address that {@link listAddress} made, here or at another service; `undefined` for every other URL. */
export const listIdIn = (url: string): string | undefined => ADDRESS.exec(url)?.[1]
