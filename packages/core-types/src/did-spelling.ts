const UUID_DID = /^did:cheqd:[^:]+:([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i

/**
 * A DID in the spelling that its ledger keeps: those of did:cheqd have UUIDs in lower case. Other texts stay as they
 * are.
 */
export function didAsKept(did: string): string {
  const [, uuid] = UUID_DID.exec(did) ?? []
  return uuid === undefined ? did : did.slice(0, -uuid.length) + uuid.toLowerCase()
}
