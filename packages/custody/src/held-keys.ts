import {
  readPage,
  asKid,
  type ListedKey,
  type HeldKeyQuery,
  type NextPage,
  type Total,
  type Kid,
} from '@vidimus/core-types'
import { countRows, type Database, joinSql, readRows, sql, tallied, inAccount } from '@vidimus/database'
import { DIDS_OF_KEY } from '@vidimus/core-types/schemas'
import { READ_TOGETHER } from './account-did-store.js'
import { commonSearches, heldListing, type HeldTable, type Search } from './held-search.js'
import { demandOwnName } from './key-names.js'

interface KeyRow extends Record<string, unknown> {
  kid: string
  kms: string
  alias: string | null
  created_at: string
}

interface PublicHalf {
  kid: string
  type: string
  publicKeyHex: string
}

const KEYS: HeldTable = {
  table: sql`account_key`,
  name: 'kid',
  columns: sql`kid, kms, alias, created_at`,
  held: inAccount,
}

/** Reads a page of the keys of an account. @throws AgentError `invalid_input` */
export async function readHeldKeys(
  database: Pick<Database, 'query'>,
  account: string,
  query: HeldKeyQuery,
): Promise<{ keys: ListedKey[] } & NextPage & Total> {
  const page = await readPageOfKeys(database, account, query)
  return query.dids ? { ...page, keys: await withDids(database, account, page.keys) } : page
}

async function readPageOfKeys(
  database: Pick<Database, 'query'>,
  account: string,
  query: HeldKeyQuery,
): Promise<{ keys: ListedKey[] } & NextPage & Total> {
  const range = readPage(query)
  const searches = keySearches(query)
  const isFirstPage = query.after === undefined && (query.page ?? 1) === 1
  if (query.kid !== undefined && searches.length === 1 && isFirstPage)
    return readHeldKey(database, account, asKid(query.kid))
  const listing = heldListing(KEYS, account, searches, (row: KeyRow) => row)
  const { items, ...next } = await readRows(database, listing, range)
  const total =
    searches.length === 0
      ? { total: await tallied(database, account, 'keys') }
      : await countRows(database, listing.counted)
  return { ...total, keys: await withPublicHalves(database, account, items), ...next }
}

/** There is one of a name. */
async function readHeldKey(
  database: Pick<Database, 'query'>,
  account: string,
  kid: Kid,
): Promise<{ keys: ListedKey[] } & Total> {
  const rows = await database.query<KeyRow & PublicHalf>(
    sql`SELECT a.kid, a.kms, a.alias, a.created_at, k.type, k."publicKeyHex" FROM account_key a
      JOIN "key" k ON k.home = a.home AND k.kid = a.stored_kid
      WHERE ${inAccount(account, sql`a.`)} AND a.kid = ${kid}`,
  )
  return { total: rows.length, keys: rows.map((row) => listedKey(row, row)) }
}

/** By themselves: joined to the page, PostgreSQL may read all that there are. */
async function withPublicHalves(
  database: Pick<Database, 'query'>,
  account: string,
  rows: readonly KeyRow[],
): Promise<ListedKey[]> {
  if (rows.length === 0) return []
  const kids = joinSql(rows.map(({ kid }) => kid))
  const found = await database.query<PublicHalf>(
    sql`SELECT a.kid, k.type, k."publicKeyHex" FROM account_key a
      JOIN "key" k ON k.home = a.home AND k.kid = a.stored_kid
      WHERE ${inAccount(account, sql`a.`)} AND a.kid IN (${kids})`,
  )
  const halves = new Map(found.map((half) => [half.kid, half]))
  return rows.flatMap((row) => {
    const half = halves.get(row.kid)
    // deleted meanwhile
    if (!half) return []
    return [listedKey(row, half)]
  })
}

/** A few of each key, none of those whose creation is under way: one may have any number, and no more of them are read than are shown. */
async function withDids(
  database: Pick<Database, 'query'>,
  account: string,
  keys: readonly ListedKey[],
): Promise<ListedKey[]> {
  const dids = new Map<string, string[]>()
  for (let n = 0; n < keys.length; n += READ_TOGETHER) {
    const some = keys.slice(n, n + READ_TOGETHER).map(
      ({ kid }) =>
        sql`SELECT kid, did FROM (SELECT l.kid, l.did FROM account_did_key l
          WHERE ${inAccount(account, sql`l.`)} AND l.kid = ${kid} LIMIT ${DIDS_OF_KEY + 1}) w`,
    )
    for (const { kid, did } of await database.query<{ kid: string; did: string }>(
      joinSql(some, ' UNION ALL '),
    ))
      dids.set(kid, [...(dids.get(kid) ?? []), did])
  }
  return keys.map((key) => {
    const found = (dids.get(key.kid) ?? []).sort()
    const hasMore = found.length > DIDS_OF_KEY
    return { ...key, dids: found.slice(0, DIDS_OF_KEY), ...(hasMore && { hasMoreDids: true as const }) }
  })
}

function listedKey(
  { kid, kms, alias, created_at: createdAt }: KeyRow,
  { type, publicKeyHex }: PublicHalf,
): ListedKey {
  if (kid !== publicKeyHex) demandOwnName(kid, publicKeyHex)
  return { kid, type, publicKeyHex, kms, createdAt, ...(alias !== null && { alias }) }
}

function keySearches({ kid, kms, ...query }: HeldKeyQuery): Search[] {
  const searches = commonSearches(query, KEYS)
  if (kid !== undefined) searches.unshift({ condition: sql`kid = ${kid}`, order: ['kid'] })
  if (kms !== undefined) searches.push({ condition: sql`kms = ${kms}`, order: ['kid'] })
  return searches
}
