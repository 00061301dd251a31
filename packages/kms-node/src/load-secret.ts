import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  AgentError,
  createFolder,
  fileObstacle,
  isAgentError,
  parseOptions,
  systemCodeOf,
} from '@vidimus/core-types'
import { z } from 'zod'
import { SECRET_PATTERN, SECRET_SHAPE } from './secret-shape.js'

const Source = z
  .strictObject({
    value: z.string().nullable(),
    file: z.string().min(1).optional(),
    directory: z.string().min(1).optional(),
  })
  .refine(({ value, file, directory }) => value !== null || (file ?? directory) !== undefined, {
    message: 'file or directory is needed where there is no value',
  })
  .refine(({ file, directory }) => file === undefined || directory === undefined, {
    message: 'file and directory exclude each other',
  })

export interface SecretSource {
  /** the secret itself, 32 bytes in hex, white space around it aside; `null`: it is in the file */
  value: string | null
  /** where it is kept otherwise; made at the first start */
  file?: string
  /** in place of `file`: the directory of the file `kms-secret.key` */
  directory?: string
}

const FILE_NAME = 'kms-secret.key'

/**
 * The secret that seals private keys: the value given, else the content of the file, else 32 new random bytes that
 * are written to the file for the owner alone. Of several processes that start at once, all get the same secret.
 *
 * @returns 64 lower-case hex characters
 * @throws AgentError `invalid_configuration` for a malformed secret or a file that others may read; names the place,
 * never the value
 */
export async function loadSecret(source: SecretSource): Promise<string> {
  const { value, file, directory } = parseOptions(Source, source)
  if (value !== null) return checkedSecret(value.trim(), 'value', 'the secret')
  const path = resolve(file ?? join(directory ?? '.', FILE_NAME))
  const place = file === undefined ? 'directory' : 'file'
  return (await readSecret(path, place)) ?? (await createSecret(path, place))
}

async function readSecret(path: string, place: string): Promise<string | undefined> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) throw misconfigured(place, fileObstacle(path, 'EISDIR', 'read'))
    if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
      throw misconfigured(
        place,
        `others than its owner may read the secret in ${path}; run: chmod 600 ${path}`,
      )
    }
    return checkedSecret((await readFile(path, 'utf8')).trim(), place, `the content of ${path}`)
  } catch (error) {
    const code = systemCodeOf(error)
    // A folder above that is a file is told of by name when the folder is to be created.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw code === undefined || isAgentError(error)
      ? error
      : misconfigured(place, fileObstacle(path, code, 'read'))
  }
}

async function createSecret(path: string, place: string): Promise<string> {
  const folder = dirname(path)
  const obstacle = await createFolder(folder)
  if (obstacle !== undefined) throw misconfigured(place, obstacle)
  const draft = `${path}.${randomUUID()}`
  try {
    await writeDurably(draft, `${randomBytes(32).toString('hex')}\n`)
    // A link appears whole or not at all, and only where there is none yet: one of several processes wins.
    await link(draft, path)
    await syncFolder(folder)
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    if (code !== 'EEXIST') throw misconfigured(place, fileObstacle(path, code, 'created'))
  } finally {
    await unlink(draft).catch(() => undefined)
  }
  const secret = await readSecret(path, place)
  if (secret === undefined) throw misconfigured(place, `the secret in ${path} was removed while it was made`)
  return secret
}

async function writeDurably(path: string, content: string): Promise<void> {
  const created = await open(path, 'wx', 0o600)
  try {
    await created.writeFile(content)
    await created.sync()
  } finally {
    await created.close()
  }
}

/** Without this the name of a new file may be lost in a power failure although its content is on the disk. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function checkedSecret(text: string, place: string, subject: string): string {
  if (!SECRET_PATTERN.test(text)) throw misconfigured(place, `${subject} has to be ${SECRET_SHAPE}`)
  return text.toLowerCase()
}

const misconfigured = (path: string, message: string) =>
  new AgentError('invalid_configuration', `${path}: ${message}`, { details: [{ path, message }] })
