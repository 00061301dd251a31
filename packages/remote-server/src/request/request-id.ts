import { randomUUID } from 'node:crypto'

/** Nothing that could break a log line, a header or a page. */
const SAFE = /^[A-Za-z0-9._:+/=-]{1,128}$/

/** The id that a client or a proxy gave the request, where it is short and safe; else a new one. */
export const requestIdOf = (header: string | string[] | undefined): string =>
  typeof header === 'string' && SAFE.test(header) ? header : randomUUID()
