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

/** DIDs of an account that are looked at for a page, which may be short then. */
const DIDS = 1000

const ITEMS = sql`SELECT w.home, w.kind, w.key, w.owner, w.due_at, w.since, w.revision, w.holder, w.attempts, w.payload, w.failure
  FROM work_item w`

export const workState = ({ due_at: dueAt, holder, attempts }: StoredWork, now: Date): WorkState => {
  if (holder !== null) return 'running'
  if (dueAt === NEVER_AT) return 'paused'
  if (attempts > 0) return 'failed'
  return dueAt <= now.toISOString() ? 'due' : 'waiting'
}

/** As {@link workState} says it. */
function areIn(state: WorkState | undefined, now: Date): Sql {
  const isFresh = sql`w.holder IS NULL AND w.attempts = 0`
  if (state === 'running') return sql`AND w.holder IS NOT NULL`
  if (state === 'paused') return sql`AND w.holder IS NULL AND w.due_at = ${NEVER_AT}`
  if (state === 'failed') return sql`AND w.holder IS NULL AND w.attempts > 0 AND w.due_at < ${NEVER_AT}`
  if (state === 'due') return sql`AND ${isFresh} AND w.due_at <= ${now.toISOString()}`
  if (state === 'waiting')
    return sql`AND ${isFresh} AND w.due_at > ${now.toISOString()} AND w.due_at < ${NEVER_AT}`
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

/** Items of all accounts: kind after kind, the earliest due first. */
export async function pageOfAll(reader: Reader, request: Request, now: Date): Promise<Page> {
  const { limit, after } = readPage(request)
  const [from = '', ...place] = after === undefined ? [] : readPlace(after, 4)
  const rows: StoredWork[] = []
  for (const kind of WORK_KINDS) {
    if (kind < from || (request.kind ?? kind) !== kind || rows.length > limit) continue
    const further = kind === from ? sql`AND (w.due_at, w.home, w.key) > (${places(place)})` : sql``
    rows.push(
      ...(await reader.query<StoredWork>(
        sql`${ITEMS} WHERE w.kind = ${kind} ${areIn(request.state, now)} ${further}
          ORDER BY w.due_at, w.home, w.key LIMIT ${limit + 1 - rows.length}`,
      )),
    )
  }
  return toPage(rows, limit, ({ kind, due_at: dueAt, home, key }) => [kind, dueAt, String(home), key])
}

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
  const isSearched = sql`${request.kind === undefined ? sql`` : sql`AND w.kind = ${request.kind}`} ${areIn(request.state, now)}`
  const rows: StoredWork[] = []
  if (behind[0] !== '' && (await hasOwner(reader, account, owner))) {
    const further = place ? sql`AND (w.kind, w.due_at, w.home, w.key) > (${places(behind)})` : sql``
    rows.push(
      ...(await reader.query<StoredWork>(
        sql`${ITEMS} WHERE w.owner = ${owner} ${isSearched} ${further}
          ORDER BY w.kind, w.due_at, w.home, w.key LIMIT ${limit + 1}`,
      )),
    )
  }
  if (rows.length > limit) return toPage(rows, limit, placeOfOwned)
  const from = owner === account ? '' : owner
  const dids = await reader.query<{ did: string }>(
    sql`SELECT did FROM account_did WHERE account_id = ${account} AND pending = 0 AND did > ${from} ORDER BY did LIMIT ${DIDS}`,
  )
  const last = dids.at(-1)?.did
  if (last === undefined) return { rows }
  rows.push(
    ...(await reader.query<StoredWork>(
      sql`${ITEMS} JOIN account_did d ON d.home = w.home AND d.did = w.owner
        WHERE d.account_id = ${account} AND d.pending = 0 AND d.did > ${from} AND d.did <= ${last} ${isSearched}
        ORDER BY w.owner, w.kind, w.due_at, w.home, w.key LIMIT ${limit + 1 - rows.length}`,
    )),
  )
  if (rows.length > limit || dids.length < DIDS) return toPage(rows, limit, placeOfOwned)
  return { rows, next: placeText([last, '', '', '', '']) }
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
