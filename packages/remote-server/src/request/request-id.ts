import { randomUUID } from 'node:crypto'

/** Safe in log lines, headers and pages. */
const SAFE = /^[A-Za-z0-9._:+/=-]{1,128}$/

/** The request id from a client or proxy, if it is short and safe; otherwise a new one. */
export const chooseRequestId = (header: string | string[] | undefined): string =>
  typeof header === 'string' && SAFE.test(header) ? header : randomUUID()
