import type { IIdentifier } from '@veramo/core-types'
import { AgentError, findDidRow, type Problem, problemsError, whyFixed } from '@vidimus/core-types'
import { nearMiss } from '../input/near-miss.js'
import type { ServiceAgent } from '../service-agent.js'

/**
 * The provider for a DID method: `cheqd` and `did:cheqd` are equivalent.
 *
 * @throws AgentError `unknown_provider` at `method`
 */
export function providerOfMethod(method: string, providers: readonly string[]): string {
  const name = method.startsWith('did:') ? method : `did:${method}`
  if (providers.includes(name)) return name
  const ofMethod = providers.filter((provider) => provider.startsWith(`${name}:`))
  const [only, ...others] = ofMethod
  if (only !== undefined && others.length === 0) return only
  if (only !== undefined) throw unknownMethod(`must be one of ${ofMethod.join(', ')}`)
  const meant = nearMiss(name, providers)
  const hint = meant === undefined ? '' : `; did you mean "${methodName(meant)}"?`
  throw unknownMethod(`is not a configured method (${providers.map(methodName).join(', ')})${hint}`)
}

/** `cheqd` for `did:cheqd`. */
export const methodName = (provider: string): string => provider.replace(/^did:/, '')

function unknownMethod(message: string): AgentError {
  return new AgentError('unknown_provider', `method: ${message}`, { details: [{ path: 'method', message }] })
}

/** Ways to refer to a DID besides its identifier. */
export interface SaidOfDid {
  did: string
  method?: string | undefined
  network?: string | undefined
}

/**
 * The DID of the account that an operation applies to.
 *
 * @throws AgentError `did_not_found`; `invalid_input` if other fields contradict the DID
 */
export async function registeredDid(agent: ServiceAgent, said: SaidOfDid): Promise<IIdentifier> {
  const problems = contradictions(said)
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  const identifier = await findDidRow({ agent }, said.did)
  if (identifier) return identifier
  const message = 'the account holds no such DID'
  throw new AgentError('did_not_found', `did: ${message}`, { details: [{ path: 'did', message }] })
}

export function contradictions({ did, method, network }: SaidOfDid): Problem[] {
  const [, ownMethod = '', ownNetwork] = did.split(':')
  const problems: Problem[] = []
  const isOwn = (name: string) => name === `did:${ownMethod}` || did.startsWith(`${name}:`)
  if (method !== undefined && !isOwn(method.startsWith('did:') ? method : `did:${method}`)) {
    problems.push({ path: 'method', message: 'differs from did' })
  }
  if (network !== undefined && network !== ownNetwork) {
    problems.push({ path: 'options.network', message: 'differs from did' })
  }
  return problems
}

export const isFixed = (provider: string): boolean => whyFixed(provider) !== undefined

/** @throws AgentError `invalid_input` for a DID that a registrar cannot write to */
export function mustBeWritable({ provider }: IIdentifier, verb: 'updated' | 'deactivated'): void {
  const why = whyFixed(provider)
  if (why === undefined) return
  const message = `cannot be ${verb}: a DID of ${provider} ${why}`
  throw problemsError('invalid_input', [{ path: 'did', message }])
}
