import { NETWORKS, type Network } from '@vidimus/core-types'
import { SCOPE_GROUPS, SCOPE_NAMES } from '@vidimus/remote-server/scopes'
import { InvalidArgumentError } from 'commander'

/** For the help text. */
export const SCOPES = `Groups: ${Object.keys(SCOPE_GROUPS).join(', ')}; or single operations and agent methods, such as did-create`

/**
 * Collects scopes, which may be written with commas, one after the other, or with the option repeated.
 *
 * @throws InvalidArgumentError for what no group, operation or method is called
 */
export function scopes(text: string, before: readonly string[] = []): string[] {
  const named = splitByComma(text)
  const unknown = named.filter((one) => !SCOPE_NAMES.includes(one))
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}. ${SCOPES}.`)
  return [...new Set([...before, ...named])]
}

/**
 * As {@link scopes}, for networks.
 *
 * @throws InvalidArgumentError if it is not a network
 */
export function networks(text: string, before: readonly Network[] = []): Network[] {
  const named = splitByComma(text)
  const problem = unknownOnes(named, NETWORKS)
  if (problem !== undefined) throw new InvalidArgumentError(problem)
  return [...new Set([...before, ...(named as Network[])])]
}

const splitByComma = (text: string): string[] => text.split(',').map((part) => part.trim())

function unknownOnes(named: readonly string[], known: readonly string[]): string | undefined {
  const unknown = named.filter((one) => !known.includes(one))
  return unknown.length > 0
    ? `Unknown: ${unknown.join(', ')}. Expected one of: ${known.join(', ')}.`
    : undefined
}
