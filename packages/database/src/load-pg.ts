import { createRequire } from 'node:module'
import type pg from 'pg'

const load = createRequire(import.meta.url)

/** The driver of PostgreSQL, loaded on first use: most services start on SQLite. */
export const loadPg = () => load('pg') as typeof pg
