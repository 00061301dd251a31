import { readPage, type HeldDidQuery, type NextPage, type Total } from '@vidimus/core-types'
import { countRows, readRows, sql, type Database, type Sql } from '@vidimus/database'
import { checkedText } from './checked-text.js'
import { commonSearches, heldListing, LAST_CHARACTER, type HeldTable, type Search } from './held-search.js'
import { tallied } from './tally.js'

interface DidRow extends Record<string, unknown> {
  did: string
}

/** A DID with its place in the order that was asked for. */
export interface PlacedDid {
  did: string
  place: string
}

/** Those whose creation is under way are not held yet. */
const DIDS: HeldTable = {
  table: sql`account_did`,
  name: 'did',
  columns: sql`did, provider, alias, created_at`,
  held: sql`AND pending = 0`,
}

/** Reads a page of the DIDs of an account; of each its name alone. */
export async function readHeldDids(
  database: Pick<Database, 'query'>,
  account: string,
  query: HeldDidQuery,
): Promise<{ items: PlacedDid[] } & NextPage & Total> {
  const range = readPage(query)
  const searches = searchesOf(query)
  const listing = heldListing(DIDS, account, searches, ({ did }: DidRow, place): PlacedDid => ({
    did,
    place,
  }))
  const page = await readRows(database, listing, range)
  const total =
    searches.length === 0 ? { total: await countHeld(database, account) } : await countRows(database, listing)
  return { ...page, ...total }
}

async function countHeld(database: Pick<Database, 'query'>, account: string): Promise<number> {
  const [row] = await database.query<{ n: number | string }>(
    sql`SELECT COUNT(*) AS n FROM account_did WHERE account_id = ${account} AND pending = 1`,
  )
  return (await tallied(database, account, 'dids')) - Number(row?.n)
}

/** @throws AgentError `invalid_input` */
function searchesOf({ network, provider, ...query }: HeldDidQuery): Search[] {
  const searches = commonSearches(query, DIDS)
  if (provider !== undefined) {
    searches.push({ condition: sql`provider = ${checkedText(provider, 'provider')}`, order: ['did'] })
  }
  if (network !== undefined) searches.push({ condition: onNetwork(network), order: ['did'] })
  return searches
}

function onNetwork(network: string): Sql {
  const beginning = `did:cheqd:${checkedText(network, 'network')}:`
  return sql`did >= ${beginning} AND did < ${beginning + LAST_CHARACTER}`
}
