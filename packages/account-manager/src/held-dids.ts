import {
  placeText,
  readPage,
  readPlace,
  type HeldDidQuery,
  type NextPage,
  type Total,
} from '@vidimus/core-types'
import { countRows, joinSql, readRows, sql, type Database, type Listing, type Sql } from '@vidimus/database'
import { checkedText, invalidInput, isoTime } from './checked-text.js'
import { tallied } from './tally.js'

interface DidRow {
  did: string
  alias: string | null
  created_at: string
}

/** A condition, and the order that an index has for it. */
interface Search {
  /** on the columns of `account_did` */
  condition: Sql
  order: readonly (keyof typeof COLUMNS)[]
}

const BY_TEXT = ['did'] as const
/** Greater than every text that begins like another one. */
const LAST_CHARACTER = '\u{10ffff}'

/** A DID with its place in the order that was asked for. */
export interface PlacedDid {
  did: string
  place: string
}

/** Reads a page of the DIDs of an account; of each its name alone. */
export async function readHeldDids(
  database: Pick<Database, 'query'>,
  account: string,
  query: HeldDidQuery,
): Promise<{ items: PlacedDid[] } & NextPage & Total> {
  const range = readPage(query)
  const searches = searchesOf(query)
  const listing = listingOf(account, searches)
  const page = await readRows(database, listing, range)
  const total =
    searches.length === 0 ? { total: await countHeld(database, account) } : await countRows(database, listing)
  return { ...page, ...total }
}

/** Those whose creation is under way are not held yet. */
async function countHeld(database: Pick<Database, 'query'>, account: string): Promise<number> {
  const [row] = await database.query<{ n: number | string }>(
    sql`SELECT COUNT(*) AS n FROM account_did WHERE account_id = ${account} AND pending = 1`,
  )
  return (await tallied(database, account, 'dids')) - Number(row?.n)
}

/** The first search is done over its index, the others are looked for in what it finds. */
function listingOf(account: string, [first, ...others]: readonly Search[]): Listing<DidRow, PlacedDid> {
  const order = first?.order ?? BY_TEXT
  const columns = joinSql(order.map((name) => COLUMNS[name]))
  const placeOf = (row: DidRow) => placeText(order.map((name) => row[name] ?? ''))
  return {
    rows: (after) => sql`SELECT did, provider, alias, created_at FROM account_did
      WHERE account_id = ${account} AND pending = 0 ${first ? sql`AND ${first.condition}` : sql``}
      ${after === undefined ? sql`` : sql`AND (${columns}) > (${joinSql(readPlace(after, order.length))})`}
      ORDER BY ${columns}`,
    filter:
      others.length === 0
        ? undefined
        : joinSql(
            others.map(({ condition }) => condition),
            ' AND ',
          ),
    placeOf,
    toItem: (row) => ({ did: row.did, place: placeOf(row) }),
  }
}

const COLUMNS = { alias: sql`alias`, created_at: sql`created_at`, did: sql`did` } as const

/** What finds least comes first. @throws AgentError `invalid_input` */
function searchesOf({ network, provider, alias, createdAfter, createdBefore }: HeldDidQuery): Search[] {
  const searches: Search[] = []
  if (alias !== undefined)
    searches.push({ condition: likeAlias(checkedText(alias, 'alias')), order: ['alias'] })
  if (createdAfter !== undefined || createdBefore !== undefined) {
    const [after, before] = [timeOf(createdAfter, 'createdAfter'), timeOf(createdBefore, 'createdBefore')]
    const condition = sql`created_at > ${after ?? ''} AND created_at < ${before ?? LAST_CHARACTER}`
    searches.push({ condition, order: ['created_at', 'did'] })
  }
  if (provider !== undefined) {
    searches.push({ condition: sql`provider = ${checkedText(provider, 'provider')}`, order: BY_TEXT })
  }
  if (network !== undefined) searches.push({ condition: onNetwork(network), order: BY_TEXT })
  return searches
}

function likeAlias(alias: string): Sql {
  if (!alias.endsWith('*')) return sql`alias = ${alias}`
  const beginning = alias.slice(0, -1)
  if (beginning === '') throw invalidInput('alias', 'must have something before the *')
  return sql`alias >= ${beginning} AND alias < ${beginning + LAST_CHARACTER}`
}

function onNetwork(network: string): Sql {
  const beginning = `did:cheqd:${checkedText(network, 'network')}:`
  return sql`did >= ${beginning} AND did < ${beginning + LAST_CHARACTER}`
}

const timeOf = (value: string | undefined, path: string) =>
  value === undefined ? undefined : isoTime(value, path)
