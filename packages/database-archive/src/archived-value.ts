import type { Dialect, Sql, SqlValue } from '@vidimus/database'
import { sql } from '@vidimus/database'
import type { ArchivedValue, ColumnType } from './archive-format.js'
import { quoted } from './quoted.js'

/** The expression that selects a column without loss: whole numbers have 64 bits. */
export function selected(dialect: Dialect, name: string, type: ColumnType): Sql {
  const column = quoted(name)
  if (type === 'integer') return sql`CAST(${column} AS TEXT)`
  if (type === 'boolean') return sql`CASE WHEN ${column} THEN 1 WHEN NOT ${column} THEN 0 END`
  if (type === 'time' && dialect === 'postgres')
    return sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
  return column
}

/**
 * The same value for the same content, whatever database it comes from.
 *
 * @param stored - what {@link selected} gave
 * @returns `undefined` if the column contains what its type does not allow, which SQLite accepts
 */
export function toArchived(type: ColumnType, stored: unknown): ArchivedValue | undefined {
  if (stored === null) return null
  switch (type) {
    case 'text':
      return typeof stored === 'string' ? stored : undefined
    case 'integer':
      return typeof stored === 'string' ? wholeNumber(stored) : undefined
    case 'bytes':
      return Buffer.isBuffer(stored) ? stored.toString('base64') : undefined
    case 'time':
      return typeof stored === 'string' ? time(stored) : undefined
    case 'boolean':
      return stored === 1 || stored === 0 ? stored === 1 : undefined
  }
}

/** The result of {@link toStored} for a column is the parameter of this part of a statement. */
export function placed(dialect: Dialect, type: ColumnType): { before: string; after: string } {
  if (dialect === 'sqlite' && type !== 'integer') return { before: '', after: '' }
  return { before: 'CAST(', after: ` AS ${dialect === 'sqlite' ? 'INTEGER' : POSTGRES_TYPES[type]})` }
}

const POSTGRES_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'TEXT',
  integer: 'BIGINT',
  bytes: 'BYTEA',
  time: 'TIMESTAMP',
  boolean: 'BOOLEAN',
}

/** The other way round of {@link toArchived}. @returns `undefined` for what no column of the type holds */
export function toStored(dialect: Dialect, type: ColumnType, value: unknown): SqlValue | undefined {
  if (value === null) return null
  switch (type) {
    case 'text':
      return typeof value === 'string' ? value : undefined
    case 'integer':
      return isWholeNumber(value) ? String(value) : undefined
    case 'bytes':
      return typeof value === 'string' ? Buffer.from(value, 'base64') : undefined
    case 'time':
      return typeof value === 'string' && time(value) === value ? value : undefined
    case 'boolean':
      if (typeof value !== 'boolean') return undefined
      return dialect === 'sqlite' ? Number(value) : String(value)
  }
}

/** JSON has numbers for those that every reader of JSON reads exactly, and text for the others. */
function wholeNumber(digits: string): number | string | undefined {
  if (!/^-?\d+$/.test(digits)) return undefined
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : digits
}

const isWholeNumber = (value: unknown): value is string | number =>
  typeof value === 'number' ? Number.isSafeInteger(value) : typeof value === 'string' && /^-?\d+$/.test(value)

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?Z?$/

/** In UTC, as ISO 8601, with milliseconds and, if it has any, microseconds. */
function time(text: string): string | undefined {
  const [, day, clock, fraction = ''] = TIME.exec(text) ?? []
  if (day === undefined || clock === undefined) return undefined
  return `${day}T${clock}.${fraction.replace(/0+$/, '').padEnd(3, '0')}Z`
}
