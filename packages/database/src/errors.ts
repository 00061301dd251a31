/**
 * A statement that the database refused. Unlike the driver's own error it does not carry the values of the
 * statement, which may be secrets on their way to a log.
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'

  constructor(
    message: string,
    /** the driver's code, for example `SQLITE_CONSTRAINT` */
    readonly code: string,
    /** the statement's text with placeholders */
    readonly statement?: string,
  ) {
    super(message)
  }
}

/** Whether a unique constraint refused the statement, on the named table where one is given. */
export function isUniqueViolation(error: unknown, table?: string): boolean {
  if (!(error instanceof Error) || error.name !== 'DatabaseError') return false
  const [, columns] = /UNIQUE constraint failed: (.+)$/.exec(error.message) ?? []
  if (columns === undefined) return false
  return table === undefined || columns.split(', ').every((column) => column.startsWith(`${table}.`))
}

/** The driver's error without the values of the statement. */
export function toDatabaseError(error: unknown, statement?: string): DatabaseError {
  if (error instanceof DatabaseError) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN'
  return new DatabaseError(message, code, statement)
}
