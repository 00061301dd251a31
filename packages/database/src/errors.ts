import { AgentError, isAgentError } from '@vidimus/core-types'
import { writtenTables } from './changed-tables.js'

/**
 * A statement that the database refused. Unlike the driver's own error it does not carry the values of the
 * statement, which may be secrets on their way to a log.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'

  constructor(
    message: string,
    /** the driver's code, for example `SQLITE_CONSTRAINT` or `23505` */
    readonly code: string,
    /** the statement's text with placeholders */
    readonly statement?: string,
    /** the tables that the statement writes to, if a unique constraint refused it */
    readonly duplicateIn?: ReadonlySet<string>,
    /** it comes from a server behind the one that answered, which has some of the rows */
    readonly isBehind = false,
  ) {
    super(message)
  }
}

/**
 * Whether a unique constraint refused the statement, one that writes to the named table if one is given.
 */
export function isUniqueViolation(error: unknown, table?: string): boolean {
  if (!isDatabaseError(error) || error.duplicateIn === undefined) return false
  return table === undefined || error.duplicateIn.has(table)
}

/** Whether something refers to the row to be deleted, or the referenced row does not exist. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  isDatabaseError(error) &&
  (error.code === '23503' || error.message.includes('FOREIGN KEY constraint failed'))

/** Whether PostgreSQL requires running the transaction again: a serialisation failure or a deadlock. */
export const isOrderingFailure = (error: unknown): boolean =>
  isDatabaseError(error) && ['40001', '40P01'].includes(error.code)

/** The same for another error, after which the transaction is to be run again as well. */
export const orderingFailure = (error: unknown): DatabaseError =>
  new DatabaseError(error instanceof Error ? error.message : String(error), '40001')

/** Whether a statement of the transaction had failed before, so that its COMMIT will undo it. */
export const isUndone = (error: unknown): boolean => isDatabaseError(error) && error.code === '25P02'

/** Whether the database itself could not be used, whatever the statement. */
export const isAway = (error: unknown): boolean =>
  isAgentError(error) && AWAY.has(error.code) && isDatabaseError(error.cause)

const AWAY = new Set(['unavailable', 'outcome_unknown'])

/** Whether the server answered, and a server behind it that has some of the rows reported the error or is gone. */
export const isOfPart = (error: unknown): boolean => {
  const cause = isAgentError(error) ? error.cause : error
  return isDatabaseError(cause) && cause.isBehind
}

/** Whether the server answered, and a server behind it that has some of the rows is away. */
export const isPartAway = (error: unknown): boolean =>
  isOfPart(error) && isAgentError(error) && /^(08...|57P..)$/.test((error.cause as DatabaseError).code)

/** Whether the disk was too full to store the data. */
export const isFull = (error: unknown): boolean =>
  isAgentError(error) && isDatabaseError(error.cause) && FULL.test(error.cause.code)

/** Whether another process on the file is in the middle of a transaction. */
export const isBusy = (error: unknown): boolean =>
  isAgentError(error) && isDatabaseError(error.cause) && error.cause.code === 'SQLITE_BUSY'

/**
 * The driver's error without the values of the statement.
 *
 * @returns an AgentError `unavailable` if the database cannot be reached, does not respond in time or has no room
 */
export function toDatabaseError(error: unknown, statement?: string): DatabaseError | AgentError {
  if (isDatabaseError(error)) return error
  if (isAgentError(error)) return error
  const driver = driverError(error)
  const { message } = driver
  const { code, isBehind } = readCitusError(driver)
  const told = { message, code, isBehind }
  const missing = whatIsMissing(code, message)
  if (missing) return new AgentError('unavailable', missing, { cause: withoutValues(told, statement) })
  const duplicateIn = code === UNIQUE_VIOLATION ? writtenTables(statement ?? '') : sqliteDuplicate(message)
  return withoutValues(told, statement, duplicateIn)
}

/** The server need not name the table: where rows are distributed, it names that of a part. */
const UNIQUE_VIOLATION = '23505'

function driverError(error: unknown): ServerError {
  if (!(error instanceof Error)) return { message: String(error), code: 'UNKNOWN' }
  // If a host has several addresses, Node.js reports a failure for each.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
  if (first instanceof Error) return driverError(first)
  const { code, where, routine } = error as { code?: unknown; where?: string; routine?: string }
  return { message: error.message, code: typeof code === 'string' ? code : 'UNKNOWN', where, routine }
}

/** PostgreSQL repeats values in its errors about values (class 22), and in no others that occur here. */
const withoutValues = (
  { message, code, isBehind }: { message: string } & CitusError,
  statement?: string,
  duplicateIn?: ReadonlySet<string>,
) =>
  new DatabaseError(
    /^22...$/.test(code) ? 'the database cannot store a value of the statement' : message,
    code,
    statement,
    duplicateIn,
    isBehind,
  )

function sqliteDuplicate(message: string): ReadonlySet<string> | undefined {
  const [, columns] = /UNIQUE constraint failed: (.+)$/.exec(message) ?? []
  const [table] = columns?.split('.') ?? []
  return table === undefined ? undefined : new Set([table])
}

export const DISK_IS_FULL = 'the disk of the database is full'
const FULL = /^SQLITE_FULL$|^53100$/

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const MISSING: readonly { pattern: RegExp; message: string }[] = [
  { pattern: FULL, message: DISK_IS_FULL },
  { pattern: /^SQLITE_BUSY$|^57014$|^55P03$|^25P03$/, message: 'the database is too busy to answer in time' },
  { pattern: /^SQLITE_(IOERR|CANTOPEN)$|^58...$/, message: 'the database cannot use its files' },
  { pattern: /^53...$/, message: 'the database has no room for more connections or memory' },
  { pattern: /^28...$|^3D000$/, message: 'the database rejects the login of the service' },
  {
    pattern: /^08...$|^57P0.$|^25P0[34]$|^57P05$|^E[A-Z]+$/,
    message: 'the database cannot be reached',
  },
  { pattern: /^SQLITE_READONLY$|^25006$/, message: 'the database is read-only at the moment' },
]

/** The driver's error without a code of its own when a connection ends or a response does not arrive. */
const BROKEN = /timeout|Connection terminated|not queryable|Client was closed|Cannot use a pool/i

function whatIsMissing(code: string, message: string): string | undefined {
  const known = MISSING.find(({ pattern }) => pattern.test(code))
  if (known) return known.message
  return code === 'UNKNOWN' && BROKEN.test(message) ? 'the database does not answer' : undefined
}

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && error.name === 'DatabaseError'

export const onlyPostgres = () =>
  new AgentError(
    'invalid_configuration',
    'the tables of a SQLite file are kept in one way; this is for PostgreSQL',
  )

/** What the driver tells about an error of the server. */
interface ServerError {
  message: string
  /** the SQLSTATE */
  code: string
  /** where it happened, a line for each context */
  where?: string | undefined
  /** the function of the server that reported it */
  routine?: string | undefined
}

interface CitusError {
  /** the SQLSTATE that belongs to it, for which Citus may have another one */
  code: string
  /** a server behind the one that answers, which has some of the rows, reported it or is gone */
  isBehind: boolean
}

const INTERNAL = 'XX000'
const CONNECTION_FAILURE = '08006'
const ADMIN_SHUTDOWN = '57P01'
const SERIALIZATION_FAILURE = '40001'

/** The context of what a server with rows reported. Citus translates nothing. */
const RELAYED = /^while executing command on /m

/** What Citus itself says about its connections to servers with rows, under several codes. */
const LOST =
  /^(connection to the remote node|connection establishment for (the remote )?node|could not establish any connections to the node|failure on connection marked as essential|execution cannot recover from multiple connection failures|failed to prepare transaction|failed to COPY to shard|failed to complete COPY on)\b/

/** Its loops that wait for other servers end so if the server itself is ending. */
const ENDING = 'postmaster was shut down, exiting'

/** It reports the refusal of a row without the reason, except for the words. */
const REFUSED_ROW = 'ReportCopyError'

/**
 * Restores what the coordinator of Citus leaves out: that a server with rows is gone, for which the library of PostgreSQL has no
 * SQLSTATE and words in the language of the server; and that one refused a row that came from `INSERT ... SELECT`. The latter is
 * taken for a failure of the order of transactions, the only refusal of our rows that is no mistake; whatever it was, nothing is
 * committed, and the work finds out when it is repeated.
 *
 * @see https://github.com/citusdata/citus/blob/v13.2.2/src/backend/distributed/connection/remote_commands.c `ReportResultError`
 * @see https://github.com/citusdata/citus/blob/v13.2.2/src/backend/distributed/commands/multi_copy.c `ReportCopyError`
 */
function readCitusError({ message, code, where = '', routine }: ServerError): CitusError {
  if (LOST.test(message)) return { code: CONNECTION_FAILURE, isBehind: true }
  const isInternal = code === INTERNAL
  if (isInternal && routine === REFUSED_ROW) return { code: SERIALIZATION_FAILURE, isBehind: true }
  if (isInternal && message.startsWith(ENDING)) return { code: ADMIN_SHUTDOWN, isBehind: false }
  if (!RELAYED.test(where)) return { code, isBehind: false }
  // A server that has failed internally is none that can be used, either.
  return { code: isInternal ? CONNECTION_FAILURE : code, isBehind: true }
}
