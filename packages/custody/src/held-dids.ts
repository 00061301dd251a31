import { readPage, asKid, type HeldDidQuery, type NextPage, type Total, type Kid } from '@vidimus/core-types'
import { countRows, type Database, readRows, sql, tallied, inAccount } from '@vidimus/database'
import {
  beginningWith,
  commonSearches,
  searchCondition,
  heldListing,
  type HeldTable,
  type Search,
} from './held-search.js'

interface DidRow extends Record<string, unknown> {
  did: string
}

/** A DID with its place in the order that was asked for. */
export interface PlacedDid {
  did: string
  place: string
}

/** DIDs have homes of their own: an index has those of an account together. */
const ALL: HeldTable = {
  table: sql`account_did`,
  name: 'did',
  columns: sql`did, provider, alias, created_at`,
  held: (account) => sql`account_id = ${account}`,
}

/** Those whose creation is under way are not held yet. */
const DIDS: HeldTable = { ...ALL, held: (account) => sql`account_id = ${account} AND pending = 0` }

/** Reads a page of the DIDs of an account; only their names. */
export async function readHeldDids(
  database: Pick<Database, 'query'>,
  account: string,
  query: HeldDidQuery,
): Promise<{ items: PlacedDid[] } & NextPage & Total> {
  const range = readPage(query)
  const searches = didSearches(account, query)
  const page = await readRows(database, didListing(DIDS, account, searches), range)
  return { ...page, ...(await count(database, account, searches, query)) }
}

const didListing = (table: HeldTable, account: string, searches: readonly Search[]) =>
  heldListing(table, account, searches, ({ did }: DidRow, place): PlacedDid => ({ did, place }))

/** Names and aliases are in indices of all DIDs: those whose creation is under way are counted as well, and taken away again. */
async function count(
  database: Pick<Database, 'query'>,
  account: string,
  searches: readonly Search[],
  { network, alias }: HeldDidQuery,
): Promise<Total> {
  const [first, other] = searches
  if (first && (other || (network ?? alias) === undefined))
    return countRows(database, didListing(DIDS, account, searches).counted)
  const pending = await countPending(database, account, first)
  const all = first
    ? await countRows(database, didListing(ALL, account, searches).counted)
    : { total: await tallied(database, account, 'dids') }
  // Undone in between, it is none of either.
  return { ...all, total: Math.max(0, all.total - pending) }
}

async function countPending(
  database: Pick<Database, 'query'>,
  account: string,
  search?: Search,
): Promise<number> {
  // Not as a condition: SQLite would look for the few over the index of all.
  const fits = search ? sql`CASE WHEN ${searchCondition(search)} THEN 1 END` : sql`*`
  const [row] = await database.query<{ n: number | string }>(
    sql`SELECT COUNT(${fits}) AS n FROM account_did WHERE account_id = ${account} AND pending = 1`,
  )
  return Number(row?.n)
}

function didSearches(account: string, { network, provider, key, ...query }: HeldDidQuery): Search[] {
  const searches = commonSearches(query, DIDS)
  if (key !== undefined) searches.unshift(havingKey(account, asKid(key)))
  if (provider !== undefined) {
    searches.push({ condition: sql`provider = ${provider}`, order: ['did'] })
  }
  if (network !== undefined) searches.push(beginningWith('did', `did:cheqd:${network}:`))
  return searches
}

/** A key has few DIDs: they are found first. */
const havingKey = (account: string, kid: Kid): Search => ({
  condition: sql`did IN (SELECT did FROM account_did_key WHERE ${inAccount(account)} AND kid = ${kid})`,
  order: ['did'],
})
