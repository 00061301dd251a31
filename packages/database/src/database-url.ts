import { resolve } from 'node:path'
import { AgentError } from '@vidimus/core-types'

/**
 * The file of a `sqlite:` URL: `sqlite:data/agent.sqlite`, `sqlite:///var/lib/vidimus/agent.sqlite`.
 *
 * @throws AgentError `invalid_configuration` for anything else; a password in the URL is not repeated
 */
export function sqliteFile(url: string): string {
  const [, path] = /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url) ?? []
  if (path === undefined || path === ':memory:') {
    const scheme = /^[a-z][a-z0-9+.-]*(?=:)/i.exec(url)?.[0]
    const found =
      path === ':memory:' ? 'it keeps nothing' : scheme ? `"${scheme}" is not supported` : 'no scheme'
    const message = `has to be sqlite:<path of a file>: ${found}`
    throw new AgentError('invalid_configuration', `database url: ${message}`, {
      details: [{ path: 'url', message }],
    })
  }
  return resolve(path)
}
