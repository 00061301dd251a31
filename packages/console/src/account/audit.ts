import type { AnswerOf, Client } from '@vidimus/client'
import type { Search } from '../routes.js'

export type AuditPageAnswer = Exclude<AnswerOf<'/account/audit', 'get'>, string>
export type AuditedEvent = AuditPageAnswer['entries'][number]

const PER_PAGE = 50

/** Entries of a file, at most. */
export const MOST_EXPORTED = 100_000

/** @param after - `next` of the previous page */
export const readAuditPage = (
  client: Pick<Client, 'get'>,
  search: Search,
  after?: string,
): Promise<AuditPageAnswer> =>
  client.get('/account/audit', {
    params: { query: { ...search, limit: PER_PAGE, ...(after !== undefined && { after }) } },
  }) as Promise<AuditPageAnswer>

/** Everything that fits, as the file that the service makes of it. */
export const readAuditFile = (client: Pick<Client, 'get'>, search: Search): Promise<Blob> =>
  client.get<'/account/audit', 'blob'>('/account/audit', {
    params: { query: { ...search } },
    headers: { accept: 'text/csv' },
    parseAs: 'blob',
  })

/** Whether the service has left entries out: a file that is full. Line breaks inside of cells have no carriage return. */
export const isFull = (csv: string): boolean => csv.split('\r\n').length - 2 >= MOST_EXPORTED
