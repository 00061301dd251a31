import type { Database } from '@vidimus/database'
import { sql, type Reader } from '@vidimus/database'

/** The statements that make the tables that a database has, in the order of their names. */
export async function schemaOf(database: Database): Promise<string> {
  const statements = await (database.dialect === 'sqlite' ? ofSqlite(database) : ofPostgres(database))
  return statements.map((statement) => `${statement};\n`).join('')
}

const ofSqlite = async (reader: Pick<Reader, 'query'>): Promise<string[]> =>
  (
    await reader.query<{ sql: string }>(
      sql`SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' AND tbl_name <> 'migrations'
        ORDER BY tbl_name, type <> 'table', name`,
    )
  ).map((row) => row.sql)

/** PostgreSQL keeps no statements: they are put together from its catalogue. */
const ofPostgres = async (reader: Pick<Reader, 'query'>): Promise<string[]> =>
  (
    await reader.query<{ sql: string }>(sql`
SELECT sql FROM (SELECT regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g') AS sql, '' AS whose, 0 AS part, proname AS name
  FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
UNION ALL
SELECT format(E'CREATE TABLE %s (\\n  %s\\n)%s', t.oid::regclass,
    concat_ws(E',\\n  ', (${COLUMNS}), (${CONSTRAINTS})), ' WITH (' || array_to_string(t.reloptions, ', ') || ')'),
    t.relname, 1, ''
  FROM pg_class t WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname <> 'migrations'
UNION ALL
SELECT replace(pg_get_indexdef(indexrelid), current_schema() || '.', ''), t.relname, 2, i.relname
  FROM pg_index JOIN pg_class t ON t.oid = indrelid JOIN pg_class i ON i.oid = indexrelid
  WHERE t.relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
UNION ALL
SELECT replace(pg_get_triggerdef(g.oid), current_schema() || '.', ''), t.relname, 3, tgname
  FROM pg_trigger g JOIN pg_class t ON t.oid = tgrelid WHERE NOT tgisinternal) AS made
ORDER BY whose COLLATE "C", part, name COLLATE "C"`)
  ).map((row) => row.sql)

const COLUMNS = sql`SELECT string_agg(concat_ws(' ', quote_ident(attname), format_type(atttypid, atttypmod),
      'COLLATE "' || nullif(collname, 'default') || '"', CASE WHEN attidentity = 'a' THEN 'GENERATED ALWAYS AS IDENTITY' END,
      'DEFAULT ' || pg_get_expr(adbin, adrelid), CASE WHEN attnotnull THEN 'NOT NULL' END), E',\\n  ' ORDER BY attnum)
    FROM pg_attribute LEFT JOIN pg_collation c ON c.oid = attcollation
      LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE attrelid = t.oid AND attnum > 0 AND NOT attisdropped`

const CONSTRAINTS = sql`SELECT string_agg(pg_get_constraintdef(oid), E',\\n  ' ORDER BY contype = 'f', contype, conname COLLATE "C")
    FROM pg_constraint WHERE conrelid = t.oid AND contype <> 'n'`
