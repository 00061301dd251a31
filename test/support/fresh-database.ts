import { rmSync } from 'node:fs'
import { copyFile, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Database, type DatabaseOptions } from '@vidimus/database'
import { PostgresServer } from './postgres-server.js'
import { beginVidimus } from './vidimus-process.js'

/** Where an installation may keep its data; what counts for one must hold on the other. */
export const PLACES = ['SQLite', 'PostgreSQL'] as const

export type Place = (typeof PLACES)[number]

/** The URL of a new, empty database; files go with the process. */
export async function freshDatabase(place: Place): Promise<string> {
  if (place === 'PostgreSQL') return (await PostgresServer.shared()).createDatabase()
  return sqliteUrl(await newFolder())
}

/**
 * The URL of a copy: making an installation by starting the service costs seconds, copying its database milliseconds.
 *
 * @param url - of {@link freshDatabase}; nobody may have it open
 */
export async function copyOfDatabase(url: string): Promise<string> {
  if (!url.startsWith(SQLITE)) return (await PostgresServer.shared()).createDatabase(url)
  const folder = await newFolder()
  await copyFiles(url, folder)
  return sqliteUrl(folder)
}

async function copyFiles(url: string, folder: string): Promise<void> {
  const file = url.slice(SQLITE.length)
  for (const name of await readdir(dirname(file))) {
    if (name.startsWith(basename(file))) await copyFile(join(dirname(file), name), join(folder, name))
  }
}

/**
 * The URL of a new database with the tables of `agent.yml` and no rows: a first start on it has no migrations to run, which
 * cost as much as the rest of it. They are run once for all processes of a test run.
 */
export async function emptyInstallation(place: Place): Promise<string> {
  const template = await PostgresServer.kept(place)
  return template === undefined ? freshDatabase(place) : copyOfDatabase(template)
}

/** Puts such a database into an empty data directory: what is not empty has had its first start, or is meant to fail. */
export async function layEmptyInstallation(dataDirectory: string): Promise<void> {
  if ((await readdir(dataDirectory)).length > 0) return
  const template = await PostgresServer.kept('SQLite')
  if (template !== undefined)
    await copyFile(template.slice(SQLITE.length), join(dataDirectory, 'agent.sqlite'))
}

/** What {@link emptyInstallation} copies. */
export async function migratedInstallation(place: Place): Promise<string> {
  const DATABASE_URL = await freshDatabase(place)
  const { PATH, HOME } = process.env
  const environment = { PATH, HOME, DATABASE_URL, VIDIMUS_DATA_DIR: await newFolder() }
  const { code, complained } = await beginVidimus(['migrate'], environment).closed
  if (code !== 0) throw new Error(`there is no installation to copy: ${complained}`)
  return DATABASE_URL
}

const templates = new Map<string, Promise<string>>()

/**
 * The URL of a new database that has its tables already, and no rows: they are made once in a process for a set of migrations.
 *
 * @param tables - as those of the database that is opened there
 */
export async function migratedDatabase(
  place: Place,
  tables: Pick<DatabaseOptions, 'migrations'>,
): Promise<string> {
  return copyOfDatabase(await templateOf(place, tables))
}

/** Puts such a database into a data directory, unless one is there. */
export async function layMigratedDatabase(
  dataDirectory: string,
  tables: Pick<DatabaseOptions, 'migrations'>,
): Promise<void> {
  if ((await readdir(dataDirectory)).includes('agent.sqlite')) return
  await copyFiles(await templateOf('SQLite', tables), dataDirectory)
}

function templateOf(place: Place, tables: Pick<DatabaseOptions, 'migrations'>): Promise<string> {
  // The classes of baselines have no names of their own.
  const names = tables.migrations.flat().map((Migration) => new Migration().name)
  const key = [place, ...names].join()
  const template = templates.get(key) ?? migrated(place, tables)
  templates.set(key, template)
  return template
}

async function migrated(place: Place, tables: Pick<DatabaseOptions, 'migrations'>): Promise<string> {
  const url = await freshDatabase(place)
  const { lifecycle } = new Database({ url, ...tables })
  await lifecycle.start()
  await lifecycle.stop()
  return url
}

const SQLITE = 'sqlite:'

const sqliteUrl = (folder: string) => `${SQLITE}${join(folder, 'agent.sqlite')}`

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vidimus-database-'))
  folders.push(folder)
  return folder
}

const folders: string[] = []

process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))
