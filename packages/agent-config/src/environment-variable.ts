import { readFileSync, statSync } from 'node:fs'
import { systemCodeOf } from '@vidimus/core-types'

export type Environment = Readonly<Record<string, string | undefined>>

/** The value of a variable in the environment. */
export type VariableReading =
  | {
      kind: 'set'
      value: string
      /** where the value comes from, for a message */
      origin: string
      /** from a file, the usual way to pass secrets */
      inFile: boolean
    }
  | { kind: 'unset' }
  /** cannot be read; the message holds no part of the value */
  | { kind: 'unusable'; message: string; advice: string }

const FILE_SUFFIX = '_FILE'

/** Enough for a secret or a URL. */
const MOST_BYTES = 65_536

/**
 * Reads an environment variable. If `<name>_FILE` is set, the value is the content of the file that it names, in
 * UTF-8 and without line ends at its end: secrets that a container engine or systemd mounts stay out of the
 * environment, which child processes and anyone inspecting the process can see.
 *
 * An empty variable beside `<name>_FILE` counts as not set. The file itself must not be empty: a missing secret is
 * never replaced by a default.
 */
export function readVariable(environment: Environment, name: string): VariableReading {
  const value = own(environment, name)
  const fileVariable = `${name}${FILE_SUFFIX}`
  const file = own(environment, fileVariable)
  if (file === undefined || file === '') {
    if (value === undefined) return { kind: 'unset' }
    return { kind: 'set', value, origin: `the environment variable ${name}`, inFile: false }
  }
  if (value !== undefined && value !== '') {
    const message = `the environment variables ${name} and ${fileVariable} are mutually exclusive`
    return { kind: 'unusable', message, advice: 'set one of the two' }
  }
  return readFrom(file, fileVariable)
}

/** As {@link readVariable}, of this process. */
export const processVariable = (name: string): VariableReading => readVariable(process.env, name)

function readFrom(file: string, fileVariable: string): VariableReading {
  const origin = `the file ${file}, named by the environment variable ${fileVariable}`
  const unusable = (
    problem: string,
    advice = `${fileVariable} takes the path of a file that this user can read`,
  ) => ({ kind: 'unusable', message: `${origin}, ${problem}`, advice }) as const
  try {
    const found = statSync(file)
    if (!found.isFile()) return unusable(found.isDirectory() ? 'is a folder' : 'is not a regular file')
    if (found.size > MOST_BYTES) return unusable(`is larger than ${MOST_BYTES} bytes`)
    const value = decodeText(readFileSync(file))
    if (value === undefined) return unusable('is not UTF-8 text')
    if (value === '') return unusable('is empty', 'put the value into it')
    return { kind: 'set', value, origin, inFile: true }
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    return unusable(REASONS[code] ?? `cannot be read: system error ${code}`)
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'cannot be read by the current user',
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/[\r\n]+$/, '')
  } catch {
    return undefined
  }
}

const own = (environment: Environment, name: string): string | undefined =>
  Object.hasOwn(environment, name) ? environment[name] : undefined
