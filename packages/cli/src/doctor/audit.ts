import type { Finding } from '@vidimus/core-types'
import { sql, type Database } from '@vidimus/database'

/** The triggers that keep rows of the audit trail from being changed or deleted. */
const GUARDS = {
  sqlite: ['audit_event_no_delete', 'audit_event_no_update'],
  postgres: ['audit_event_guard', 'audit_event_truncate_guard', 'audit_event_update_guard'],
}

/** Checks that the audit trail can only grow: an operator may have taken triggers away. */
export async function auditFindings(database: Pick<Database, 'dialect' | 'query'>): Promise<Finding[]> {
  const rows = await database.query<{ name: string }>(database.dialect === 'sqlite' ? ON_SQLITE : ON_POSTGRES)
  const names = new Set(rows.map(({ name }) => name))
  const missing = GUARDS[database.dialect].filter((name) => !names.has(name))
  if (!names.has('audit_event') || missing.length === 0) return []
  const message = `rows can be changed or deleted: the table audit_event lacks ${missing.join(', ')}`
  const advice = 'create or enable it again; see "Append-only" in docs/audit.md'
  return [{ name: 'guards of the audit trail', level: 'warn', message, advice }]
}

/** The table as well: it may not be there. */
const ON_SQLITE = sql`SELECT name FROM sqlite_schema WHERE tbl_name = 'audit_event' AND type IN ('table', 'trigger')`

const ON_POSTGRES = sql`SELECT CAST(c.relname AS TEXT) AS name FROM pg_class c
    WHERE c.relname = 'audit_event' AND c.relnamespace = current_schema()::regnamespace
  UNION ALL SELECT CAST(t.tgname AS TEXT) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relname = 'audit_event' AND c.relnamespace = current_schema()::regnamespace AND t.tgenabled <> 'D'`
