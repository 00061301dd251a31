import { access, constants, open, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createFolder, fileObstacle, folderObstacle, systemCodeOf } from '@vidimus/core-types'

/** SQLite's files beside a database, which a command run as another user may have left as that user's. */
const BESIDE = ['-wal', '-shm'] as const

/** Bytes: with less SQLite cannot even read. */
const LEAST_ROOM = 65_536

/**
 * Creates a database's folder and file if they do not exist, with access for the owner only: SQLite gives its other
 * files the mode of the first.
 *
 * @returns the obstacle to using it
 */
export async function makePlace(file: string): Promise<string | undefined> {
  const folder = dirname(file)
  const obstacle = (await createFolder(folder)) ?? (await createFile(file)) ?? (await obstacleIn(folder))
  if (obstacle !== undefined) return obstacle
  for (const suffix of BESIDE) {
    // A process that ends removes it, at any time.
    const found = await obstacleToWriting(`${file}${suffix}`, true)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Creates a file that does not exist. An existing one is not opened: closing it would end the locks that other
 * connections of this process have on it
 * (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_).
 *
 * @returns the obstacle
 */
export async function createFile(file: string, attempts = 3): Promise<string | undefined> {
  try {
    await (await open(file, 'wx', 0o600)).close()
    return undefined
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') return fileObstacle(file, errorCode(error), 'written')
    // Another process has removed it since, as nobody had locked it yet.
    if (attempts > 1 && !(await exists(file))) return createFile(file, attempts - 1)
    return obstacleToWriting(file)
  }
}

/** Whether the disk of a file has no room for SQLite's files beside it. */
export async function isWithoutRoom(file: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dirname(file))
  return bavail * bsize < LEAST_ROOM
}

export const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  )

async function obstacleToWriting(file: string, mayBeAbsent = false): Promise<string | undefined> {
  try {
    if (!(await stat(file)).isFile()) return fileObstacle(file, 'EISDIR', 'written')
    await access(file, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    const code = errorCode(error)
    return mayBeAbsent && code === 'ENOENT' ? undefined : fileObstacle(file, code, 'written')
  }
}

/** In the way of making files in it. */
async function obstacleIn(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return folderObstacle(folder, errorCode(error))
  }
}

/** @throws the error, unless it is a system error */
function errorCode(error: unknown): string {
  const code = systemCodeOf(error)
  if (code === undefined) throw error
  return code
}
