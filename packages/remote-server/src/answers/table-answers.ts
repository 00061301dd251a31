import { once } from 'node:events'
import { markFormulas, runInAccountScope, runWhileWanted } from '@vidimus/core-types'
import type { BaseHeaders } from './base-headers.js'
import type { OperationTable, OperationStream, TableCell } from '../operation.js'
import { asksFor, type Asking } from '../input/content-type.js'
import { requestContext } from '../request/request-context.js'
import type { ServedResponse } from '../request/served-request.js'

/** RFC 4180 */
export const TABLE = 'text/csv'

/** Whether the client asks for a table instead of JSON. */
export const wantsTable = (request: Asking): boolean => asksFor(request, TABLE)

/**
 * Sends a table while it is read, no faster than the client takes it. Failures before the first rows are answered as
 * usual; after them the connection breaks, so that a part never looks like the whole.
 */
export async function answerTable(
  res: ServedResponse,
  table: OperationTable,
  input: Parameters<OperationStream['open']>[0],
  headers: BaseHeaders,
): Promise<void> {
  const { fileName, columns } = table
  const { requestId, client, life } = requestContext(res)
  const origin = { requestId, ...(client && { address: client.address }) }
  const inScope = <T>(work: () => T) =>
    runWhileWanted(life, () => runInAccountScope(input.account, work, origin))
  if (life.isOver) life.gone.throwIfAborted()
  const parts = inScope(() => table.rows(input)[Symbol.asyncIterator]())
  const next = () => inScope(() => parts.next())
  let part = await next()
  headers.set(res)
  res.writeHead(200, {
    'content-type': `${TABLE}; charset=utf-8; header=present`,
    'content-disposition': `attachment; filename="${fileName}"`,
    'cache-control': 'no-store',
  })
  try {
    res.write(csvLine(columns))
    for (; !part.done; part = await next()) {
      if (!res.write(part.value.map(csvLine).join(''))) await once(res, 'drain', { signal: life.gone })
    }
    res.end()
  } catch (error) {
    requestContext(res).failure = error
    res.destroy()
  }
}

/** A row of RFC 4180. */
export const csvLine = (cells: readonly TableCell[]): string =>
  `${cells.map((cell) => csvCell(String(cell ?? ''))).join(',')}\r\n`

/** Callers choose some of the texts. */
function csvCell(text: string): string {
  const harmless = markFormulas(text)
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
