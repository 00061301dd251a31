import { AgentError } from '@vidimus/core-types'

/**
 * The configured provider for the prefix of this DID.
 *
 * @throws AgentError `unknown_provider`
 */
export function providerOfDid(did: string, providers: readonly string[]): string {
  const [longest] = providers.filter((name) => did.startsWith(`${name}:`)).sort((a, b) => b.length - a.length)
  if (longest !== undefined) return longest
  const message = `no provider of this DID method is configured (${providers.join(', ')})`
  throw new AgentError('unknown_provider', `did: ${message}`, { details: [{ path: 'did', message }] })
}
