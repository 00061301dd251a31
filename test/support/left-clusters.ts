import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from './until.js'

/** How the folder of a cluster begins. */
export const CLUSTER = 'vidimus-postgres-'
const OWNER = 'owner.json'

interface Owner {
  pid: number
  host: string
}

/** Says in the folder whose it is. */
export const claim = (folder: string): Promise<void> =>
  writeFile(join(folder, OWNER), JSON.stringify({ pid: process.pid, host: hostname() } satisfies Owner))

/** Ends and removes the clusters of processes that were killed and could not do it: each has some hundred megabytes. */
export async function removeLeftClusters(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name)
    if (name.startsWith(CLUSTER) && (await isLeft(folder))) await removeCluster(folder)
  }
}

/** Where nobody says whose it is, it may be one that is being made. */
async function isLeft(folder: string): Promise<boolean> {
  const text = await readFile(join(folder, OWNER), 'utf8').catch(() => '')
  if (text === '') return false
  const { pid, host } = JSON.parse(text) as Owner
  return host === hostname() && !isAlive(pid)
}

async function removeCluster(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8').catch(() => '')
  const server = Number.parseInt(text)
  // Its number may be that of another process by now.
  if (server > 0 && (await commandOf(server)).includes(folder)) {
    process.kill(server, 'SIGQUIT')
    await until(() => !isAlive(server))
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

const commandOf = (pid: number): Promise<string> =>
  promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout,
    () => '',
  )

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
