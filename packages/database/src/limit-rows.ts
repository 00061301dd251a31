import { sql, type Sql } from './sql.js'

/**
 * The end of a SELECT of a page. Without an offset no OFFSET is written: PostgreSQL plans for an unknown one as if it skipped a
 * tenth of the rows, and may then rather read and sort all of them than follow the index that has their order.
 */
export const limitRows = ({ limit, offset = 0 }: { limit: number; offset?: number | undefined }): Sql =>
  offset === 0 ? sql`LIMIT ${limit}` : sql`LIMIT ${limit} OFFSET ${offset}`
