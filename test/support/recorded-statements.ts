import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Sql } from '@vidimus/database'
import type { ServiceOptions } from './service.js'

const MODULE = join(import.meta.dirname, 'recording-database.mjs')

/** Has a service write every statement that it gives to its database to a file, each text once. */
export const recording = (file: string, options: ServiceOptions): ServiceOptions => ({
  ...options,
  environment: { ...options.environment, STATEMENTS_FILE: file },
  configure: (text) =>
    (options.configure?.(text) ?? text).replace(
      "'@vidimus/database#Database'",
      `'${MODULE}#RecordingDatabase'`,
    ),
})

/** What was written so far. */
export async function recordedIn(file: string): Promise<Sql[]> {
  return (await linesOf(file)).flatMap((line) =>
    'fragments' in line ? [new Sql(line.fragments, line.values.map(valueOf))] : [],
  )
}

/** The changes of each transaction that had rows of several homes, and no reason for it. */
export async function inSeveralHomes(file: string): Promise<string[][]> {
  return (await linesOf(file)).flatMap((line) => ('several' in line ? [line.several] : []))
}

type Line = { fragments: string[]; values: unknown[] } | { several: string[] }

const linesOf = async (file: string): Promise<Line[]> =>
  (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** JSON has no bytes; a Buffer says that it was one. */
const valueOf = (value: unknown): Sql['values'][number] =>
  value !== null && typeof value === 'object'
    ? Buffer.from((value as { data: number[] }).data)
    : (value as string | number | null)
