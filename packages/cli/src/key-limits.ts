import { NETWORKS, type Network } from '@vidimus/core-types'
import { operations, SCOPE_GROUPS, scopeNames } from '@vidimus/remote-server'
import { InvalidArgumentError } from 'commander'

/** For the help text. */
export const SCOPES = `Groups: ${Object.keys(SCOPE_GROUPS).join(', ')}; or single operations, such as did-create`

/**
 * Collects scopes, which may be written with commas, one after the other, or with the option repeated.
 *
 * @throws InvalidArgumentError for what no operation and no group is called
 */
export const scopes = (text: string, before: readonly string[] = []): string[] =>
  collected(text, before, scopeNames(operations))

/** As {@link scopes}, for networks. */
export const networks = (text: string, before: readonly Network[] = []): Network[] =>
  collected(text, before, NETWORKS)

function collected<T extends string>(text: string, before: readonly T[], known: readonly T[]): T[] {
  const named = text.split(',').map((part) => part.trim())
  const found = named.map((name) => known.find((one) => one === name))
  const unknown = named.filter((_, n) => found[n] === undefined)
  if (unknown.length > 0) {
    throw new InvalidArgumentError(`There is no ${unknown.join(', ')}; there are: ${known.join(', ')}.`)
  }
  return [...new Set([...before, ...found.filter((one) => one !== undefined)])]
}
