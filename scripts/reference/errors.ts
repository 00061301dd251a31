import { ERROR_CODES, type ErrorCode } from '@vidimus/core-types'
import { errorStatus } from '../../packages/remote-server/src/errors/error-status.js'
import { operations } from '../../packages/remote-server/src/operations/index.js'
import { code, table } from './markdown.js'

/** The table of `docs/errors.md`. */
export const errorTable = (): string =>
  table(
    ['code', 'meaning', 'status'],
    (Object.entries(ERROR_CODES) as [ErrorCode, string][]).map(([name, meaning]) => [
      code(name),
      meaning,
      errorStatuses(name).join(', '),
    ]),
  )

/** Some mean "there is no such thing" to some operations, which answer with 404. */
const errorStatuses = (name: ErrorCode): string[] => [
  ...new Set([undefined, ...operations].map((operation) => String(errorStatus({ code: name }, operation)))),
]
