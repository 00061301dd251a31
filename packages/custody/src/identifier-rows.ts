import { asKid } from '@vidimus/core-types'
import type { IIdentifier, IService } from '@veramo/core-types'
import { homeOf, homeOfDid, joinSql, sql, type Reader, type Sql, inAccount } from '@vidimus/database'
import { areDids } from './home-conditions.js'
import { toKey } from './key-rows.js'
import type { UnitOfWork } from './unit-of-work.js'

/** An identifier with the version that a change of it must follow. */
export interface VersionedIdentifier {
  identifier: IIdentifier
  version: number
}

/**
 * One row of an identifier. The content of `a` to `e` depends on the part: 0, the identifier: its age, alias, provider,
 * controller key; 1, a key of it: kid, KMS, type, public key, metadata; 2, a service of it: id, type, endpoint,
 * description.
 */
interface IdentifierRow {
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

/** Reads identifiers with their services, and with their keys, which have the home of the account. */
export async function readIdentifiers(
  reader: Reader,
  account: string,
  dids: readonly string[],
): Promise<VersionedIdentifier[]> {
  return dids.length === 0 ? [] : toIdentifiers(await readRows(reader, account, dids))
}

/**
 * A change may fall between the two statements. The version is read first: a change that is based on it and on newer keys is
 * refused; one that is based on older keys than those of its version would undo what has changed them.
 */
async function readRows(reader: Reader, account: string, dids: readonly string[]): Promise<IdentifierRow[]> {
  const rows = await reader.query<IdentifierRow>(selectIdentifiers(account, dids))
  if (rows.length === 0) return []
  return [...rows, ...(await reader.query<IdentifierRow>(selectKeys(account, dids)))]
}

/** The same without their keys. */
export async function readWithoutKeys(
  reader: Reader,
  account: string,
  dids: readonly string[],
): Promise<IIdentifier[]> {
  if (dids.length === 0) return []
  const rows = await reader.query<IdentifierRow>(selectIdentifiers(account, dids))
  return toIdentifiers(rows).map(({ identifier }) => identifier)
}

/** {@link readIdentifiers} for one that requests ask for again and again. */
export async function rememberedIdentifier(
  unit: Pick<UnitOfWork, 'remember'>,
  account: string,
  did: string,
): Promise<VersionedIdentifier | undefined> {
  const homes = [homeOfDid(did), homeOf(account)]
  const rows = await unit.remember(homes, `identifier ${account} ${did}`, (reader) =>
    readRows(reader, account, [did]),
  )
  return toIdentifiers(rows)[0]
}

/** A DID that is being created has no services yet. */
const selectIdentifiers = (
  account: string,
  dids: readonly string[],
): Sql => sql`SELECT 0 AS part, d.did, 0 AS position, d.version, d.created_at AS a, d.alias AS b, d.provider AS c,
    d.controller_key_id AS d, NULL AS e
  FROM account_did d WHERE ${areDids(account, dids, sql`d.`)} AND d.pending = 0
  UNION ALL
  SELECT 2, l.did, l.position, 0, l.id, s.type, s."serviceEndpoint", s.description, NULL
  FROM account_service l JOIN service s ON s.home = l.home AND s.id = l.stored_id
  WHERE ${areDids(account, dids, sql`l.`)}`

const selectKeys = (
  account: string,
  dids: readonly string[],
): Sql => sql`SELECT 1 AS part, l.did, l.position, 0 AS version, a.kid AS a, k.kms AS b, k.type AS c,
    k."publicKeyHex" AS d, k.meta AS e
  FROM account_did_key l JOIN account_key a ON a.home = l.home AND a.account_id = l.account_id AND a.kid = l.kid
    JOIN "key" k ON k.home = a.home AND k.kid = a.stored_kid
  WHERE ${inAccount(account, sql`l.`)} AND l.did IN (${joinSql([...dids])})`

/** The identifiers behind the rows, oldest first. */
function toIdentifiers(rows: readonly IdentifierRow[]): VersionedIdentifier[] {
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
  toKey({ kid: asKid(kid), kms: kms ?? '', type: type ?? '', publicKeyHex: publicKeyHex ?? '', meta })

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
