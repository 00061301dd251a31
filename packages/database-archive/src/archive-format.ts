/** The version of the format that is written and read; docs/moving.md describes it. */
export const FORMAT = 'vidimus-archive'
export const FORMAT_VERSION = 1

/** The schema of the tables in it. It is that of the baseline until the first release; migrations after it count on. */
export const SCHEMA = 1

/** The type of a column, in terms common to both kinds of database. */
export type ColumnType = 'text' | 'integer' | 'bytes' | 'time' | 'boolean'

export interface Column {
  name: string
  type: ColumnType
}

/** A table without its rows. */
export interface TableShape {
  name: string
  columns: readonly Column[]
  /** names of the columns of its primary key, in their order: rows are sorted by them */
  key: readonly string[]
}

/** A table as the head of an archive announces it. */
export interface ArchivedTable extends TableShape {
  rows: number
  /** the last assigned number, if the database numbers the rows itself */
  numbered?: { column: string; last: number }
}

/** The first line of an archive. */
export interface ArchiveHead {
  format: typeof FORMAT
  version: typeof FORMAT_VERSION
  /** see `SCHEMA` */
  schema: number
  /** ISO 8601 */
  createdAt: string
  /** the kind of database that it was made from */
  dialect: string
  /** names of the migrations that had been applied */
  migrations: readonly string[]
  /** in the order in which their rows follow */
  tables: readonly ArchivedTable[]
}

/** Rows of a table and their digest. */
export interface TableDigest {
  table: string
  rows: number
  /** SHA-256, in hex, of the lines of the rows, each with the line feed at its end */
  sha256: string
}

/** The last line of an archive. */
export interface ArchiveEnd {
  tables: number
  rows: number
  /** SHA-256, in hex, of all lines before: identifies the content of the archive */
  sha256: string
}

/** A value as a line of an archive has it. */
export type ArchivedValue = string | number | boolean | null

/** How far an export or import is. */
export interface ArchiveProgress {
  /** `reading`: of the archive; `writing`: of rows; `comparing`: with the archive */
  step: 'reading' | 'writing' | 'comparing'
  table: string
  /** rows of all tables */
  done: number
  total: number
}
