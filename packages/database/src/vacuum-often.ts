/**
 * Makes PostgreSQL vacuum growing tables as soon as a small part of their rows is dead, instead of a fifth: of a million
 * that is much space, and plans based on outdated statistics. These are the parts of dead rows, of new ones (for index-only
 * scans), and of changed ones (for plans).
 *
 * @see https://www.postgresql.org/docs/current/runtime-config-autovacuum.html
 */
export const VACUUM_OFTEN =
  'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02'
