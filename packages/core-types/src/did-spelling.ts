import { parse } from 'did-resolver'
import { BOUNDS } from './bounds.js'

/** Whether a text is a DID: no path, no query, no fragment. */
export function isDid(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > BOUNDS.did) return false
  const parsed = parse(value)
  return parsed !== null && parsed.did === value
}

const UUID_DID = /^did:cheqd:[^:]+:([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i

/** A DID in the spelling of its ledger: those of did:cheqd have UUIDs in lower case. Other texts are unchanged. */
export function didAsKept(did: string): string {
  const [, uuid] = UUID_DID.exec(did) ?? []
  return uuid === undefined ? did : did.slice(0, -uuid.length) + uuid.toLowerCase()
}
