import { hash } from 'node:crypto'
import { sql, type Sql } from './sql.js'

/** DIDs are spread over so many homes, so that what changes for one of them leaves nearly all others as they are. */
export const HOMES = 1024

/** Of rows that do not belong to a DID or a single account: accounts themselves, and API keys. */
export const SHARED_HOME = HOMES

/** Homes of resources come after all others. */
export const RESOURCES = 2 * HOMES

/** Stands for all homes: the statement did not name its homes. */
export const EVERY_HOME = -1

/**
 * The home of the rows of a DID, by its unique id: the first two bytes of its SHA-256, big-endian, modulo 1,024. Rows
 * of an account without a DID have that of the account's id.
 */
export function homeOf(uniqueId: string): number {
  let home = known.get(uniqueId)
  if (home === undefined) {
    home = Number.parseInt(hash('sha256', uniqueId).slice(0, 4), 16) % HOMES
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(uniqueId, home)
  }
  return home
}

/** A request asks for the home of the same DID again and again. */
const known = new Map<string, number>()
const MOST_KNOWN = 1_000

/**
 * The home of the resources of a DID, by its unique id or the DID itself. It is another one than {@link homeOf}, as resources change much more
 * often than the document, the keys and the holders of the DID: what is cached of these stays.
 */
export const homeOfResources = (collection: string): number => RESOURCES + homeOfDid(collection)

/** {@link homeOf} the unique id of a DID, which is its last part. */
export const homeOfDid = (did: string): number => homeOf(did.slice(did.lastIndexOf(':') + 1))

/**
 * The home of what is told about something that happened: that of the DID that it happened to, otherwise of the account.
 *
 * @param subject - a DID or a DID URL, or anything else
 */
export const homeOfSubject = (subject: string | undefined, accountId = ''): number =>
  subject?.startsWith('did:') ? homeOfDid(subject.replace(/[/?#].*$/s, '')) : homeOf(accountId)

/**
 * Which rows are of an account and in its home.
 *
 * @param of - what the columns are named with, as sql`a.`
 */
export const inAccount = (account: string, of: Sql = sql``): Sql =>
  sql`${of}home = ${homeOf(account)} AND ${of}account_id = ${account}`

/** Rows by their homes, each of which has statements of its own. */
export function groupByHome<Row extends { home: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const homes = new Map<number, Row[]>()
  for (const row of rows) {
    const others = homes.get(row.home)
    if (others) others.push(row)
    else homes.set(row.home, [row])
  }
  return homes
}
