/** The parts of the API document that pages use. */
export interface ApiDocument {
  paths: Record<
    string,
    Record<string, { operationId: string; /** any one suffices */ 'x-scopes'?: string[] }>
  >
}

/** The limits of an API key; absent: none. */
export interface KeyLimits {
  scopes?: readonly string[]
  networks?: readonly string[]
}

/** Covers all accounts: a key without limits does not have it, and no key can grant it. */
export const OPERATOR = 'operator'

/** @param headers - of a response to the key, which state its limits */
export function limitsIn(headers: Headers): KeyLimits {
  const [scopes, networks] = ['x-api-key-scopes', 'x-api-key-networks'].map((name) =>
    headers.get(name)?.split(', '),
  )
  return { ...(scopes && { scopes }), ...(networks && { networks }) }
}

/** The rights of a limited key, in a sentence; `undefined` if it has no limits. */
export function limitsSentence({ scopes, networks }: KeyLimits): string | undefined {
  const parts = [
    ...(scopes ? [`its scopes are ${listed(scopes, 'and')}`] : []),
    ...(networks ? [`it may write only to ${listed(networks, 'and')}`] : []),
  ]
  return parts.length === 0
    ? undefined
    : `This API key is limited: ${parts.join(', and ')}. Actions it may not perform are disabled and say why.`
}

/**
 * Why the key cannot use an operation, in a sentence; `undefined` if it can.
 *
 * @param did - the DID concerned: keys may be limited to networks
 */
export function whyNot(
  { document, limits }: { document: ApiDocument; limits: KeyLimits },
  operationId: string,
  did?: string,
): string | undefined {
  const operation = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .find((one) => one.operationId === operationId)
  if (!operation) return 'This service does not offer this.'
  const { scopes, networks } = limits
  const letIn = operation['x-scopes']
  if (letIn && !letIn.some((scope) => (scopes ? scopes.includes(scope) : scope !== OPERATOR))) {
    return `This API key lacks a required scope: ${listed(letIn, 'or')}.`
  }
  const network = did && cheqdNetwork(did)
  return network && networks && !networks.includes(network)
    ? `This API key may not write to ${network}.`
    : undefined
}

/** The network of a did:cheqd; others are on none. */
export const cheqdNetwork = (did: string): string | undefined => /^did:cheqd:(\w+):/.exec(did)?.[1]

export const listed = (words: readonly string[], last: 'and' | 'or'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
