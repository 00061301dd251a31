import { PAGES, type AuditedEvent } from '@vidimus/core-types'
import type { z } from 'zod'
import type { OperationTable } from '../operation.js'
import type { ServiceAgent } from '../service-agent.js'
import { withoutUndefined } from './without-undefined.js'

const COLUMNS = [
  'time',
  'event',
  'outcome',
  'occurrences',
  'apiKeyId',
  'issuer',
  'tokenSubject',
  'address',
  'requestId',
  'subject',
  'detail',
  'id',
] as const satisfies readonly (keyof AuditedEvent)[]

/** The audit trail as a file for spreadsheets. @param query - of the operation, whose `limit` does not apply */
export const auditTable = (query: z.ZodType<{ after?: string | undefined }>): OperationTable => ({
  fileName: 'audit-trail.csv',
  columns: COLUMNS,
  example: `${COLUMNS.join(',')}\r\n2026-06-01T08:30:00.000Z,api-key-revoked,done,1,b5a2f0a1,,,192.0.2.7,,0a4a0ac5,,4711\r\n`,
  rows: ({ query: asked, agent }) => rowsOf(query.parse(asked), agent),
})

async function* rowsOf({ after, ...search }: { after?: string | undefined }, agent: ServiceAgent) {
  let [left, place] = [PAGES.exported, after]
  do {
    const page = { ...search, limit: Math.min(PAGES.most, left), after: place }
    const { entries, next } = await agent.accountAuditList(withoutUndefined(page))
    yield entries.map((entry) => COLUMNS.map((column) => entry[column]))
    left -= entries.length
    place = next
  } while (place !== undefined && left > 0)
}
