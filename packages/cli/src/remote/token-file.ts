import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { processVariable } from '@vidimus/agent-config/environment'
import { AgentError, fileObstacle, isJsonObject, systemCodeOf } from '@vidimus/core-types'

/** What `vidimus login` got for a service. */
export interface StoredLogin {
  issuer: string
  clientId: string
  /** of tokens for the service; the first is asked for */
  audiences: readonly string[]
  scope: string
  accessToken: string
  refreshToken?: string
  /** ISO 8601 */
  expiresAt: string
}

type Logins = Record<string, StoredLogin>

/** The file that keeps the tokens of this user: only they can read it. */
export function tokenFile(): string {
  const folder = processVariable('XDG_CONFIG_HOME')
  const base = folder.kind === 'set' && folder.value !== '' ? folder.value : join(homedir(), '.config')
  return join(base, 'vidimus', 'tokens.json')
}

/** @param url - of the service */
export const storedLogin = async (url: string): Promise<StoredLogin | undefined> => {
  const logins = await readLogins()
  return Object.hasOwn(logins, url) ? logins[url] : undefined
}

/** @param login - `undefined`: forgets it */
export async function storeLogin(url: string, login: StoredLogin | undefined): Promise<void> {
  const { [url]: _before, ...others } = await readLogins()
  const file = tokenFile()
  const unfinished = `${file}.${randomUUID()}`
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    // Never readable by others, not even while it is written; a reader sees the former file or this one.
    await writeFile(unfinished, JSON.stringify({ ...others, ...(login && { [url]: login }) }), {
      mode: 0o600,
    })
    await chmod(unfinished, 0o600)
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw unusable(file, error, 'written')
  }
}

async function readLogins(): Promise<Logins> {
  const file = tokenFile()
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return {}
    throw unusable(file, error, 'read')
  }
  try {
    const logins: unknown = JSON.parse(text)
    if (isJsonObject(logins)) return logins as unknown as Logins
  } catch {
    // as for anything else that is not ours
  }
  throw new AgentError('invalid_input', `the file ${file} is damaged; delete it and sign in again`)
}

function unusable(file: string, error: unknown, what: 'read' | 'written'): unknown {
  const code = systemCodeOf(error)
  return code === undefined ? error : new AgentError('invalid_input', fileObstacle(file, code, what))
}
