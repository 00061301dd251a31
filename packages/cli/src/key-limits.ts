import { NETWORKS, type Network } from '@vidimus/core-types'
import { SCOPE_GROUPS } from '@vidimus/remote-server/scopes'
import { InvalidArgumentError, type Command } from 'commander'

/** For the help text. */
export const SCOPES = `Groups: ${Object.keys(SCOPE_GROUPS).join(', ')}; or single operations, such as did-create`

/**
 * Collects scopes, which may be written with commas, one after the other, or with the option repeated. Whether there are
 * such is for {@link requireKnownScopes} to tell.
 */
export const scopes = (text: string, before: readonly string[] = []): string[] => [
  ...new Set([...before, ...partsOf(text)]),
]

/**
 * Ends `command` where `wanted` names what no operation and no group is called, as commander does with other options.
 *
 * @throws CommanderError
 */
export async function requireKnownScopes(command: Command, wanted: readonly string[]): Promise<void> {
  // The operations come with the whole server: commands that do not ask for scopes do not wait for it.
  const { operations, scopeNames } = await import('@vidimus/remote-server')
  const problem = unknownOnes(wanted, scopeNames(operations))
  if (problem !== undefined) command.error(`error: option '--scope <scopes...>' is invalid. ${problem}`)
}

/**
 * As {@link scopes}, for networks.
 *
 * @throws InvalidArgumentError for what is no network
 */
export function networks(text: string, before: readonly Network[] = []): Network[] {
  const named = partsOf(text)
  const problem = unknownOnes(named, NETWORKS)
  if (problem !== undefined) throw new InvalidArgumentError(problem)
  return [...new Set([...before, ...(named as Network[])])]
}

const partsOf = (text: string): string[] => text.split(',').map((part) => part.trim())

function unknownOnes(named: readonly string[], known: readonly string[]): string | undefined {
  const unknown = named.filter((one) => !known.includes(one))
  return unknown.length > 0 ? `There is no ${unknown.join(', ')}; there are: ${known.join(', ')}.` : undefined
}
