import {
  placeText,
  readPage,
  readPlace,
  WORK_KINDS,
  type NextPage,
  type PageRequest,
  type WorkKindName,
  type WorkState,
} from '@vidimus/core-types'
import { homeOfDid, joinSql, sql, type Reader, type Sql } from '@vidimus/database'
import { NEVER_AT, type WorkKey } from './work-rows.js'

/** An item as it is listed, whatever its kind. */
export interface StoredWork extends WorkKey {
  kind: WorkKindName
  owner: string
  due_at: string
  since: string | null
  revision: number | string
  holder: string | null
  attempts: number
  payload: string | null
  failure: string | null
}

export interface WorkSearch {
  kind?: WorkKindName | undefined
  state?: WorkState | undefined
}

type Request = WorkSearch & Pick<PageRequest, 'limit' | 'after'>
type Page = { rows: StoredWork[] } & NextPage

/** DIDs of an account, and items beside those that are searched for, that are looked at for a page, which may be short then. */
const DIDS = 1000
const LOOKED = 500

const ITEMS = sql`SELECT w.home, w.kind, w.key, w.owner, w.due_at, w.since, w.revision, w.holder, w.attempts, w.payload, w.failure
  FROM work_item w`

export const workState = ({ due_at: dueAt, holder, attempts }: StoredWork, now: Date): WorkState => {
  if (holder !== null) return 'running'
  if (dueAt === NEVER_AT) return 'paused'
  if (attempts > 0) return 'failed'
  return dueAt <= now.toISOString() ? 'due' : 'waiting'
}

/** As {@link workState} says it; of those that are looked at, the time alone. */
function areIn(state: WorkState | undefined, now: Date): Sql {
  if (state === 'running') return sql`AND w.holder IS NOT NULL`
  if (state === 'paused') return sql`AND w.holder IS NULL AND w.due_at = ${NEVER_AT}`
  if (state === 'failed') return sql`AND w.holder IS NULL AND w.attempts > 0 AND w.due_at < ${NEVER_AT}`
  if (state === 'due') return sql`AND w.due_at <= ${now.toISOString()}`
  if (state === 'waiting') return sql`AND w.due_at > ${now.toISOString()} AND w.due_at < ${NEVER_AT}`
  return sql``
}

export async function findItem(reader: Reader, { home, key }: WorkKey, kind: string) {
  const [row] = await reader.query<StoredWork>(
    sql`${ITEMS} WHERE w.home = ${home} AND w.kind = ${kind} AND w.key = ${key}`,
  )
  return row
}

/** Whether an account has what belongs to an owner: it is the owner, or holds its DID. */
export async function hasOwner(reader: Reader, account: string, owner: string): Promise<boolean> {
  if (owner === account) return true
  const held = await reader.query(
    sql`SELECT 1 AS held FROM account_did WHERE home = ${homeOfDid(owner)} AND account_id = ${account} AND did = ${owner} AND pending = 0`,
  )
  return held.length > 0
}

/**
 * The first items, kind after kind, the earliest due first. What nobody has tried has no index of its own, as it is most of all, as a
 * rule: where it is little, some of the others are looked at.
 *
 * @param whose - a condition, before that on the kind
 * @param place - kind, time, home and key of the item after which they begin
 * @returns `last`: where that has ended, if there may be others
 */
async function readKinds(
  reader: Reader,
  { whose, place: [first = '', ...place], most }: { whose: Sql; place: readonly string[]; most: number },
  { kind: only, state }: Request,
  now: Date,
): Promise<{ rows: StoredWork[]; last?: StoredWork }> {
  const rows: StoredWork[] = []
  for (const kind of WORK_KINDS) {
    if (kind < first || (only ?? kind) !== kind || rows.length === most) continue
    const further = kind === first ? sql`AND (w.due_at, w.home, w.key) > (${places(place)})` : sql``
    const read = (among: Sql, limit: number) =>
      reader.query<StoredWork>(sql`${ITEMS} WHERE ${whose} w.kind = ${kind} ${among} ${further}
        ORDER BY w.due_at, w.home, w.key LIMIT ${limit}`)
    const room = most - rows.length
    if (state !== 'due' && state !== 'waiting') {
      rows.push(...(await read(areIn(state, now), room)))
      continue
    }
    // A place is a bound from below already, and SQLite goes to one of them alone.
    const isBegun = kind === first
    const among = state === 'waiting' && isBegun ? sql`AND w.due_at < ${NEVER_AT}` : areIn(state, now)
    const look = Math.max(room, LOOKED)
    const looked = await read(among, look)
    rows.push(...looked.filter((row) => workState(row, now) === state).slice(0, room))
    const last = looked.at(-1)
    if (last && looked.length === look && rows.length < most) return { rows, last }
  }
  return { rows }
}

/** Items of all accounts. */
export async function pageOfAll(reader: Reader, request: Request, now: Date): Promise<Page> {
  const { limit, after } = readPage(request)
  const place = after === undefined ? [] : readPlace(after, 4)
  const { rows, last } = await readKinds(reader, { whose: sql``, place, most: limit + 1 }, request, now)
  return last ? { rows, next: placeText(placeInAll(last)) } : toPage(rows, limit, placeInAll)
}

const placeInAll = ({ kind, due_at: dueAt, home, key }: StoredWork) => [kind, dueAt, String(home), key]

/**
 * Items of an account: its own, then those of its DIDs, in their order. A DID can have many; so a page goes on with the last one
 * of the page before, and looks at some of the others.
 */
export async function pageOfAccount(
  reader: Reader,
  account: string,
  request: Request,
  now: Date,
): Promise<Page> {
  const { limit, after } = readPage(request)
  const place = after === undefined ? undefined : readPlace(after, 5)
  const [owner = account, ...behind] = place ?? []
  const rows: StoredWork[] = []
  if (behind[0] !== '' && (await hasOwner(reader, account, owner))) {
    const whose = sql`w.owner = ${owner} AND`
    const own = await readKinds(reader, { whose, place: behind, most: limit + 1 }, request, now)
    if (own.last) return { rows: own.rows, next: placeText(placeOfOwned(own.last)) }
    rows.push(...own.rows)
  }
  if (rows.length > limit) return toPage(rows, limit, placeOfOwned)
  const from = owner === account ? '' : owner
  const dids = await reader.query<{ did: string }>(
    sql`SELECT did FROM account_did WHERE account_id = ${account} AND pending = 0 AND did > ${from} ORDER BY did LIMIT ${DIDS}`,
  )
  const last = dids.at(-1)?.did
  if (last === undefined) return { rows }
  const among = { after: from, upTo: last, most: limit + 1 - rows.length }
  const pairs = await kindsOfDids(reader, account, among, request, now)
  for (const { did, kind } of pairs) {
    const search = { whose: sql`w.owner = ${did} AND`, place: [], most: limit + 1 - rows.length }
    const found = await readKinds(reader, search, { ...request, kind }, now)
    rows.push(...found.rows)
    if (found.last) return { rows, next: placeText(placeOfOwned(found.last)) }
    if (rows.length > limit) return toPage(rows, limit, placeOfOwned)
  }
  const end = pairs.at(-1)
  if (end && pairs.length === among.most)
    return { rows, next: placeText([end.did, end.kind, BEYOND, '', '']) }
  return { rows, ...(dids.length === DIDS && { next: placeText([last, '', '', '', '']) }) }
}

/** After every time. */
const BEYOND = 'x'

/** DIDs of an account that have such items, in their order, each with the kinds of these. */
function kindsOfDids(
  reader: Reader,
  account: string,
  { after, upTo, most }: { after: string; upTo: string; most: number },
  { kind, state }: Request,
  now: Date,
): Promise<{ did: string; kind: WorkKindName }[]> {
  const kinds = (kind === undefined ? WORK_KINDS : [kind]).map(
    (one) => sql`SELECT CAST(${one} AS TEXT) AS kind`,
  )
  // Asked of each DID and kind, as EXISTS would let PostgreSQL read all of them.
  const has = sql`(SELECT w.home FROM work_item w WHERE w.home = d.home AND w.owner = d.did AND w.kind = k.kind ${areIn(state, now)}
    ORDER BY w.due_at LIMIT 1) IS NOT NULL`
  return reader.query(
    sql`SELECT d.did, k.kind FROM account_did d CROSS JOIN (${joinSql(kinds, ' UNION ALL ')}) k
      WHERE d.account_id = ${account} AND d.pending = 0 AND d.did > ${after} AND d.did <= ${upTo} AND ${has}
      ORDER BY d.did, k.kind LIMIT ${most}`,
  )
}

const placeOfOwned = ({ owner, kind, due_at: dueAt, home, key }: StoredWork) => [
  owner,
  kind,
  dueAt,
  String(home),
  key,
]

/** The home is the last but one, and a number. */
const places = (place: readonly string[]): Sql =>
  joinSql(place.map((text, n) => (n === place.length - 2 ? Number(text) || 0 : text)))

function toPage(rows: StoredWork[], limit: number, placeOf: (row: StoredWork) => string[]): Page {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, ...(rows.length > limit && last && { next: placeText(placeOf(last)) }) }
}

/** Names of the accounts that owners are, or of the first that holds a DID. */
export async function accountNames(
  reader: Reader,
  owners: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [dids, ids] = [owners.filter(isDid), owners.filter((owner) => !isDid(owner))]
  const rows = [
    ...(ids.length === 0
      ? []
      : await reader.query<{ owner: string; name: string }>(
          sql`SELECT id AS owner, name FROM account WHERE id IN (${joinSql(ids)})`,
        )),
    ...(dids.length === 0
      ? []
      : await reader.query<{ owner: string; name: string }>(
          sql`SELECT d.did AS owner, MIN(a.name) AS name FROM account_did d JOIN account a ON a.id = d.account_id
            WHERE d.home IN (${joinSql(dids.map(homeOfDid))}) AND d.did IN (${joinSql(dids)}) AND d.pending = 0 GROUP BY d.did`,
        )),
  ]
  return new Map(rows.map(({ owner, name }) => [owner, name]))
}

const isDid = (owner: string): boolean => owner.startsWith('did:')
