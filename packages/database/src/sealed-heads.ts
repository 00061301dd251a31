import { Sql, sql } from './sql.js'

/** Characters at the beginning of a sealed text that an index is on; no envelope needs more to know its secret. */
export const HEAD_LENGTH = 12

/** The expression that {@link sealedHeadIndex} is on; clear texts have no dot. */
export const sealedHead = (sealed: Sql): Sql => sql`substr(${sealed}, 1, 12)`
export const isSealed = (sealed: Sql): Sql => sql`${sealed} LIKE '%.%'`

/** The statement that lets a start find out which secrets seal the texts of a column, however many there are. */
export function sealedHeadIndex(table: string, column: string): string {
  const sealed = new Sql([`"${column}"`], [])
  return `CREATE INDEX "${table}_sealed_head" ON "${table}" (${sealedHead(sealed).text('sqlite')})
  WHERE ${isSealed(sealed).text('sqlite')}`
}
