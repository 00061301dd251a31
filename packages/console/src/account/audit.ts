import type { AnswerOf, Client } from '@vidimus/client'
import type { Search } from '../routes.js'

export type AuditPageAnswer = AnswerOf<'/account/audit', 'get'>
export type AuditedEvent = AuditPageAnswer['entries'][number]

const PER_PAGE = 50
const PER_EXPORTED_PAGE = 1000

/** Entries of a file, so that they fit into the memory of the page. */
export const MOST_EXPORTED = 100_000

/** @param after - `next` of the previous page */
export const readAuditPage = (
  client: Pick<Client, 'get'>,
  search: Search,
  after?: string,
  limit = PER_PAGE,
): Promise<AuditPageAnswer> =>
  client.get('/account/audit', {
    params: { query: { ...search, limit, ...(after !== undefined && { after }) } },
  })

/** All entries that fit, newest first; `isWhole`: not if there are more than {@link MOST_EXPORTED}. */
export async function readAudit(
  client: Pick<Client, 'get'>,
  search: Search,
): Promise<{ entries: AuditedEvent[]; isWhole: boolean }> {
  const entries: AuditedEvent[] = []
  for (let after: string | undefined; ;) {
    const page = await readAuditPage(client, search, after, PER_EXPORTED_PAGE)
    entries.push(...page.entries)
    after = page.next
    if (after === undefined) return { entries, isWhole: true }
    if (entries.length >= MOST_EXPORTED) return { entries: entries.slice(0, MOST_EXPORTED), isWhole: false }
  }
}

const COLUMNS = [
  'time',
  'event',
  'outcome',
  'occurrences',
  'apiKeyId',
  'address',
  'requestId',
  'subject',
  'detail',
  'id',
] as const satisfies readonly (keyof AuditedEvent)[]

/** RFC 4180, with times in UTC. */
export const auditCsv = (entries: readonly AuditedEvent[]): string =>
  [COLUMNS, ...entries.map((entry) => COLUMNS.map((column) => String(entry[column] ?? '')))]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('')

/** A text that spreadsheets would take for a formula is marked as text: callers choose some of them. */
function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
