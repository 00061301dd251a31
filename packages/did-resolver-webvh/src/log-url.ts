import { didWebUrl } from '@vidimus/core-types'

/** The addresses of the files of a DID. */
export interface Place {
  /** self-certifying identifier: the hash that the first version of the log must have */
  scid: string
  log: URL
  witnesses: URL
}

/** The SCID is the multihash of a SHA-256 in base58btc; what follows names host and path as did:web does. */
const IDENTIFIER = /^did:webvh:([1-9A-HJ-NP-Za-km-z]{46}):(.+)$/

/**
 * @returns `undefined` if it is not a DID of the method
 * @see The did:webvh DID Method v1.0, "The DID to HTTPS Transformation"
 */
export function logPlace(did: string): Place | undefined {
  const [, scid, location] = IDENTIFIER.exec(did) ?? []
  const document = didWebUrl(`did:web:${location}`)
  if (scid === undefined || document === undefined) return undefined
  const besides = (file: string) => new URL(file, document)
  return { scid, log: besides('did.jsonl'), witnesses: besides('did-witness.json') }
}
