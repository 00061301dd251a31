import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'
import type { Network } from '@vidimus/core-types'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DID = /^did:([^:]+?)(?::([^:]+?))?:([^:]+)$/
const DID_URL = /^([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#([^#]+))?$/

const UNIQUE_ID_BYTES = 16
/** 16 bytes never need more in base58; longer texts are not worth a decoding whose cost grows with the square. */
const MAX_BASE58_ID_LENGTH = 22

/** The parts of a DID URL, without the markers `?` and `#`; `''` if absent. */
export interface DidUrl {
  did: string
  /** with its leading `/` */
  path: string
  query: string
  fragment: string
}

/** Whether a text has the 36 characters of a UUID, of any version and in any case. */
export const isUuid = (text: string): boolean => UUID.test(text)

/** Whether it is a unique id of did:cheqd: a UUID, or base58 of exactly 16 bytes. */
export const isUniqueId = (text: string): boolean => isUuid(text) || isBase58UniqueId(text)

function isBase58UniqueId(text: string): boolean {
  if (text.length > MAX_BASE58_ID_LENGTH) return false
  try {
    return base58.decode(text).length === UNIQUE_ID_BYTES
  } catch {
    return false
  }
}

/** Splits a DID of any method; `undefined` if it is not one. `namespace` is `''` if it has none. */
export function splitDid(did: string): { method: string; namespace: string; id: string } | undefined {
  const [, method, namespace = '', id] = DID.exec(did) ?? []
  return method === undefined || id === undefined ? undefined : { method, namespace, id }
}

/**
 * The network and the unique id of a DID of cheqd (ADR 001 of cheqd), the id as the ledger keeps it: UUIDs in lower
 * case.
 *
 * @returns `undefined` for everything else, also for a DID without a network, which no ledger accepts
 */
export function parseCheqdDid(did: string): { network: string; id: string } | undefined {
  const parts = splitDid(did)
  if (parts?.method !== 'cheqd' || !/^[a-zA-Z0-9]+$/.test(parts.namespace)) return undefined
  if (!isUniqueId(parts.id)) return undefined
  return { network: parts.namespace, id: normaliseUniqueId(parts.id) }
}

/** The DID with a unique id on a network. */
export const cheqdDid = (network: Network, id: string): string => `did:cheqd:${network}:${id}`

/** The unique id that the holder of a key gets by convention: base58 of the first half of its SHA-256. */
export const uniqueIdOfKey = (publicKey: Uint8Array): string =>
  base58.encode(createHash('sha256').update(publicKey).digest().subarray(0, UNIQUE_ID_BYTES))

/** Splits a DID URL (DID Core 3.2) without checking its parts; `undefined` if that is impossible. */
export function parseDidUrl(url: string): DidUrl | undefined {
  const [match, did = '', path = '', query = '', fragment = ''] = DID_URL.exec(url) ?? []
  return match === undefined ? undefined : { did, path, query, fragment }
}

/** UUIDs in lower case, everything else as it is. */
export const normaliseUniqueId = (id: string): string => (isUuid(id) ? id.toLowerCase() : id)

/** The DID as the ledger keeps it: a UUID in lower case. */
export function normaliseDid(did: string): string {
  const parts = splitDid(did)
  if (!parts || !isUuid(parts.id)) return did
  return did.slice(0, -parts.id.length) + parts.id.toLowerCase()
}

/** The DID URL as the ledger keeps it: the UUID of its DID in lower case. */
export function normaliseDidUrl(url: string): string {
  const parts = parseDidUrl(url)
  return parts ? normaliseDid(parts.did) + url.slice(parts.did.length) : url
}
