import type { Sql, SqlValue } from './sql.js'

/** Larger ones are bound: hexadecimal digits would be read slower than bytes. */
const MOST_BYTES = 65_536
/** Other numbers are bound by the driver as floating-point ones. */
const WHOLE_NUMBER = { least: -(2 ** 31), most: 2 ** 31 - 1 }

/**
 * The text of a statement with its values as literals of SQLite's grammar, for several statements in one driver call,
 * which accepts no values.
 *
 * @returns `undefined` if a value cannot be written exactly as the driver would have bound it
 * @see https://www.sqlite.org/lang_expr.html#literal_values_constants_
 */
export function withLiterals({ fragments, values }: Sql): string | undefined {
  let text = fragments[0] ?? ''
  for (const [n, value] of values.entries()) {
    const literal = sqlLiteral(value)
    if (literal === undefined) return undefined
    text += literal + (fragments[n + 1] ?? '')
  }
  return text
}

function sqlLiteral(value: SqlValue): string | undefined {
  if (value === null) return 'NULL'
  if (typeof value === 'string') return textLiteral(value)
  if (typeof value === 'number') {
    const isWhole = Number.isInteger(value) && value >= WHOLE_NUMBER.least && value <= WHOLE_NUMBER.most
    return isWhole ? String(value) : undefined
  }
  return value.length <= MOST_BYTES ? `X'${value.toString('hex')}'` : undefined
}

/** A quotation mark is all that has a meaning in it; behind a NUL the driver would see nothing more. */
const textLiteral = (text: string): string | undefined =>
  text.includes('\0') ? undefined : `'${text.replaceAll("'", "''")}'`
