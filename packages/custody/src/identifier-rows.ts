import type { IIdentifier, IService } from '@veramo/core-types'
import { sql, type Sql } from '@vidimus/database'
import { toKey } from './key-rows.js'

/** An identifier with the version that a change of it must follow. */
export interface VersionedIdentifier {
  identifier: IIdentifier
  version: number
}

/**
 * One row of {@link selectIdentifiers}. The content of `a` to `e` depends on the part: 0, the identifier: its age,
 * alias, provider, controller key; 1, a key of it: kid, KMS, type, public key, metadata; 2, a service of it: id,
 * type, endpoint, description.
 */
export interface IdentifierRow {
  part: number
  did: string
  position: number
  version: number
  a: string
  b: string | null
  c: string | null
  d: string | null
  e: string | null
}

/**
 * Reads identifiers with their keys and services in one statement, so that no change can fall between.
 *
 * @param filter - further condition on `d`, the account's row of the DID, and `i`, Veramo's
 */
export const selectIdentifiers = (account: string, filter: Sql): Sql => sql`WITH held AS (
    SELECT d.account_id, d.did, d.alias, d.version, d.created_at, i.provider, i."controllerKeyId"
    FROM account_did d JOIN identifier i ON i.did = d.stored_did
    WHERE d.account_id = ${account} AND d.pending = 0 ${filter}
  )
  SELECT 0 AS part, h.did, 0 AS position, h.version, h.created_at AS a, h.alias AS b, h.provider AS c,
    h."controllerKeyId" AS d, NULL AS e
  FROM held h
  UNION ALL
  SELECT 1, h.did, l.position, 0, a.kid, k.kms, k.type, k."publicKeyHex", k.meta
  FROM held h JOIN account_did_key l ON l.account_id = h.account_id AND l.did = h.did
    JOIN account_key a ON a.account_id = l.account_id AND a.kid = l.kid JOIN "key" k ON k.kid = a.stored_kid
  UNION ALL
  SELECT 2, h.did, l.position, 0, l.id, s.type, s."serviceEndpoint", s.description, NULL
  FROM held h JOIN account_service l ON l.account_id = h.account_id AND l.did = h.did
    JOIN service s ON s.id = l.stored_id`

/** The identifiers behind the rows, oldest first. */
export function toIdentifiers(rows: readonly IdentifierRow[]): VersionedIdentifier[] {
  const found = new Map<string, VersionedIdentifier>()
  for (const row of [...rows].sort(inOrder)) {
    if (row.part === 0) found.set(row.did, { identifier: bareIdentifier(row), version: row.version })
    const identifier = found.get(row.did)?.identifier
    if (row.part === 1) identifier?.keys.push(storedKey(row))
    if (row.part === 2) identifier?.services.push(rowService(row))
  }
  return [...found.values()]
}

function inOrder(one: IdentifierRow, other: IdentifierRow): number {
  return (
    one.part - other.part ||
    one.position - other.position ||
    compare(one.a, other.a) ||
    compare(one.did, other.did)
  )
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

const bareIdentifier = ({ did, b: alias, c: provider, d: controllerKeyId }: IdentifierRow): IIdentifier => ({
  did,
  provider: provider ?? '',
  ...(alias !== null && { alias }),
  ...(controllerKeyId !== null && { controllerKeyId }),
  keys: [],
  services: [],
})

const storedKey = ({ a: kid, b: kms, c: type, d: publicKeyHex, e: meta }: IdentifierRow) =>
  toKey({ kid, kms: kms ?? '', type: type ?? '', publicKeyHex: publicKeyHex ?? '', meta })

const rowService = ({ a: id, b: type, c: endpoint, d: description }: IdentifierRow): IService => ({
  id,
  type: type ?? '',
  serviceEndpoint: endpointFrom(endpoint ?? ''),
  ...(description !== null && { description }),
})

/** Endpoints that are objects or lists are stored as JSON; the text "123" is a text. */
function endpointFrom(stored: string): IService['serviceEndpoint'] {
  if (!/^\s*[{[]/.test(stored)) return stored
  try {
    return JSON.parse(stored) as IService['serviceEndpoint']
  } catch {
    // It only begins like JSON.
    return stored
  }
}

export const endpointText = (endpoint: IService['serviceEndpoint']) =>
  typeof endpoint === 'string' ? endpoint : JSON.stringify(endpoint)
