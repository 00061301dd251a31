import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'the current user lacks permission',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOENT: 'nothing can be created in this file system',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'symbolic links form a loop',
}

const REMEDY = 'choose a folder where the current user can create and read files'

/**
 * Creates a folder and its parents, accessible only to the owner, unless they exist.
 *
 * Step by step: Node.js's own recursive `mkdir` never ends if a file system refuses new folders with ENOENT, as
 * `/proc` does.
 *
 * @param folder - absolute
 * @returns the obstacle, as a sentence with the remedy
 */
export async function createFolder(folder: string): Promise<string | undefined> {
  const there = await isFolder(folder)
  if (there !== undefined) return there ? undefined : `${folder} is a file, not a folder; ${REMEDY}`
  const parent = dirname(folder)
  const obstacle = parent === folder ? undefined : await createFolder(parent)
  if (obstacle !== undefined) return obstacle
  try {
    await mkdir(folder, { mode: 0o700 })
    return undefined
  } catch (error) {
    // Another process that starts at the same time may have been faster.
    if (await isFolder(folder)) return undefined
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    const reason = code === 'EEXIST' ? 'it is a broken symbolic link' : systemReason(code)
    return `the folder ${folder} cannot be created: ${reason}; ${REMEDY}`
  }
}

/**
 * Why a file cannot be used, as a sentence with the remedy.
 *
 * @param code - of the operating system, such as `EACCES`
 * @param done - what could not be done with it
 */
export function fileObstacle(file: string, code: string, done: 'created' | 'read' | 'written'): string {
  if (code === 'EISDIR') return `${file} is a folder, not a file; move it away, or choose another location`
  return `the file ${file} cannot be ${done}: ${systemReason(code)}; ${REMEDY}`
}

/** Why nothing can be created in a folder, as {@link fileObstacle}. */
export const folderObstacle = (folder: string, code: string): string =>
  `nothing can be created in the folder ${folder}: ${systemReason(code)}; ${REMEDY}`

async function isFolder(path: string): Promise<boolean | undefined> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return undefined
  }
}

/** The code of an error of the operating system, such as `EACCES`. */
export const systemCodeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const systemReason = (code: string): string => REASONS[code] ?? `system error ${code}`
