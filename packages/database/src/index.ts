export { Database, type DatabaseOptions } from './database.js'
export type { Connection } from './connection.js'
export { DatabaseError, isUniqueViolation } from './errors.js'
export { joinSql, Sql, sql, type SqlValue } from './sql.js'
