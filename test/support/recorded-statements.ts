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
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  return lines.map((line) => {
    const { fragments, values } = JSON.parse(line) as { fragments: string[]; values: unknown[] }
    return new Sql(fragments, values.map(valueOf))
  })
}

/** JSON has no bytes; a Buffer says that it was one. */
const valueOf = (value: unknown): Sql['values'][number] =>
  value !== null && typeof value === 'object'
    ? Buffer.from((value as { data: number[] }).data)
    : (value as string | number | null)
