import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PostgresServer } from './postgres-server.js'

/** Where an installation may keep its data; what counts for one has to hold on the other. */
export const PLACES = ['SQLite', 'PostgreSQL'] as const

export type Place = (typeof PLACES)[number]

/** The URL of a new, empty database; files go with the process. */
export async function freshDatabase(place: Place): Promise<string> {
  if (place === 'PostgreSQL') return (await PostgresServer.shared()).createDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-database-'))
  folders.push(folder)
  return `sqlite:${join(folder, 'agent.sqlite')}`
}

const folders: string[] = []

process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))
