import { log, type QueueName } from '@vidimus/core-types'
import type { Connection } from './connection.js'
import { HOMES } from './homes.js'
import type { Sql } from './sql.js'

/** How a transaction is run. */
export interface WriteOptions {
  /**
   * a name for works that change the same rows. On PostgreSQL they are serialised, in all processes, and share COMMITs; without it
   * they run concurrently, and are retried after conflicts. Correctness does not depend on it, only speed, unless it guards what the work reads
   */
  lane?: QueueName
  /**
   * why nobody outside of the lane can change what the work has read and depends on, without changing a row that it changes
   * or locks as well. On PostgreSQL it is a REPEATABLE READ transaction then, whose conflicts are about rows: a SERIALIZABLE
   * one also conflicts with those that write to a page of an index that it has read
   */
  guarded?: string
  /** deleted data is overwritten in a SQLite file, which would otherwise keep the content of whole pages */
  overwrite?: boolean
  /** why the work changes rows of several homes (see `homeOf`), if it does */
  spans?: string
}

/** Stands for a value in the text of a statement. */
const VALUE = '\u0001'
/** Statements that were looked at; there are many built from lists. */
const MOST_KNOWN = 2000

const CHANGE = /^\s*(?:INSERT|UPDATE|DELETE)\b/i
const COMPARED = new RegExp(`\\bhome"? (?:= ${VALUE}|IN \\(${VALUE}(?:, ${VALUE})*\\))`, 'g')
const INSERTED = /^\s*INSERT\s+INTO\s+\S+\s*\(([^)]*)\)\s*(VALUES|SELECT)\b/i
const END_OF_SELECTED = /\s(?:FROM|WHERE)\b/i

const known = new Map<string, readonly number[]>()

/** The homes of rows that a statement changes, as far as it names them: 0 to 1,023, or the one for what concerns all DIDs. */
export function changedHomes({ fragments, values }: Sql): number[] {
  const text = fragments.join(VALUE)
  let places = known.get(text)
  if (!places) {
    places = CHANGE.test(text) ? placesOfHomes(text) : []
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(text, places)
  }
  return places.map((place) => Number(values[place])).filter((home) => home >= 0 && home <= HOMES)
}

/** Which of its values are homes. */
function placesOfHomes(text: string): number[] {
  const compared = [...text.matchAll(COMPARED)].flatMap(({ 0: found, index }) => {
    const first = valuesIn(text.slice(0, index))
    return Array.from({ length: valuesIn(found) }, (_, n) => first + n)
  })
  const [head = '', columns = '', how] = INSERTED.exec(text) ?? []
  const column = columns.split(',').findIndex((name) => name.trim().replaceAll('"', '') === 'home')
  if (column < 0) return compared
  const rest = text.slice(head.length)
  const rows =
    how?.toUpperCase() === 'SELECT'
      ? [topLevelParts(rest.split(END_OF_SELECTED)[0] ?? '')]
      : insertedRows(rest)
  let before = valuesIn(head)
  const inserted = rows.flatMap((parts) => {
    const place = before + valuesIn(parts.slice(0, column).join())
    before += valuesIn(parts.join())
    return parts[column]?.trim() === VALUE ? [place] : []
  })
  return [...compared, ...inserted]
}

const valuesIn = (text: string): number => text.split(VALUE).length - 1

/** The rows of VALUES, up to what follows them. */
function insertedRows(text: string): string[][] {
  const rows: string[][] = []
  for (let at = text.indexOf('('); at >= 0;) {
    const end = closing(text, at)
    rows.push(topLevelParts(text.slice(at + 1, end)))
    const [between] = /^\s*,\s*(?=\()/.exec(text.slice(end + 1)) ?? []
    at = between === undefined ? -1 : end + 1 + between.length
  }
  return rows
}

function closing(text: string, open: number): number {
  for (let at = open, depth = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')' && (depth -= 1) === 0) return at
  }
  return text.length
}

/** Expressions, without those within brackets. */
function topLevelParts(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const character of text) {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts
}

/** Each is reported once. */
const REPORTED = new Set<string>()
const MOST_REPORTED = 100

/**
 * A transaction about a DID changes rows of one home, so that it is one server's where rows are distributed. One that
 * changes several without saying why is a mistake in this code, but no reason to undo it: it is logged. Tests look at all
 * transactions of all operations.
 */
export async function inOneHome<T>(
  connection: Connection,
  work: (connection: Connection) => Promise<T> | T,
): Promise<T> {
  const homes = new Map<number, Sql>()
  const noted = (statement: Sql) => {
    for (const home of changedHomes(statement)) homes.set(home, statement)
    return statement
  }
  const value = await work({
    query: (statement) => connection.query(noted(statement)),
    queryApart: (statement) => connection.queryApart(noted(statement)),
    run: (statement) => connection.run(noted(statement)),
    send: (statement, refused) => connection.send(noted(statement), refused),
    whenCommitted: (then) => connection.whenCommitted(then),
    shared: connection.shared,
  })
  if (homes.size > 1) report([...homes.values()])
  return value
}

function report(statements: readonly Sql[]): void {
  const texts = statements.map(({ fragments }) => fragments.join('?').replaceAll(/\s+/g, ' ').trim())
  const name = texts.join('; ')
  if (REPORTED.has(name) || REPORTED.size >= MOST_REPORTED) return
  REPORTED.add(name)
  log('error', 'a transaction changes rows of several homes without saying why', { statements: name })
}
