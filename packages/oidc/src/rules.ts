import { createHash } from 'node:crypto'
import { NETWORKS, OPERATOR_SCOPE, type Network } from '@vidimus/core-types'
import { SCOPE, type ClaimName, type RuleSettings } from './options.js'

/** The claims of a verified token. */
export type Claims = Readonly<Record<string, unknown>>

/** What a rule gives to the holder of a token. Omitted limits do not apply. */
export interface GivenRights {
  /** name of an account, which need not exist */
  account: string
  scopes?: readonly string[]
  networks?: readonly Network[]
  /** fingerprint of the rule */
  rule: string
}

const DEFAULT_SCOPES = 'vidimus_scopes'
const DEFAULT_NETWORKS = 'vidimus_networks'

/** The rights given by the first rule that applies. */
export function rightsByRules(rules: readonly RuleSettings[], claims: Claims): GivenRights | undefined {
  for (const rule of rules) {
    const account = applies(rule, claims) ? accountOf(rule, claims) : undefined
    if (account !== undefined) return { account, ...limitsOf(rule, claims), rule: ruleFingerprint(rule) }
  }
  return undefined
}

/** Changes with the rule: what a rule gave is not what a changed one gives. */
export const ruleFingerprint = (rule: RuleSettings): string =>
  createHash('sha256').update(JSON.stringify(rule)).digest('base64url')

const applies = ({ when }: RuleSettings, claims: Claims): boolean =>
  when.every(({ claim, is }) => {
    const value = claimValue(claims, claim)
    const values: readonly unknown[] = Array.isArray(value) ? value : valuesOf(claim, value)
    return is.some((wanted) => values.includes(wanted))
  })

/** Only `scope` has words by its definition (RFC 8693 4.2); others, such as a name, may contain what others chose. */
const valuesOf = (claim: ClaimName, value: unknown): readonly unknown[] =>
  claim === 'scope' && typeof value === 'string' ? value.split(' ') : [value]

function accountOf({ account }: RuleSettings, claims: Claims): string | undefined {
  const name = typeof account === 'string' ? account : claimValue(claims, account.claim)
  return typeof name === 'string' && name !== '' ? name : undefined
}

function limitsOf({ scopes, networks }: RuleSettings, claims: Claims): Omit<GivenRights, 'account' | 'rule'> {
  const mayDo = Array.isArray(scopes) ? scopes : claimedScopes(scopes?.claim, claims)
  const mayWrite = Array.isArray(networks) ? networks : claimedNetworks(networks?.claim, claims)
  return { ...(mayDo && { scopes: mayDo }), ...(mayWrite && { networks: mayWrite }) }
}

/** Only a rule makes somebody an operator, never the identity provider. */
const claimedScopes = (claim: ClaimName | undefined, claims: Claims): string[] | undefined =>
  claimedWords(claim, DEFAULT_SCOPES, claims)?.filter((word) => SCOPE.test(word) && word !== OPERATOR_SCOPE)

const claimedNetworks = (claim: ClaimName | undefined, claims: Claims): Network[] | undefined => {
  const words = claimedWords(claim, DEFAULT_NETWORKS, claims)
  return words && NETWORKS.filter((network) => words.includes(network))
}

/**
 * The words of a claim. A token without the standard claim is not limited, as an API key is not; a claim that a rule
 * names, or that is no list of words, gives nothing if it is absent or malformed.
 */
function claimedWords(claim: ClaimName | undefined, standard: string, claims: Claims): string[] | undefined {
  const value = claimValue(claims, claim ?? standard)
  if (value === undefined) return claim === undefined ? undefined : []
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '')
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []
}

function claimValue(claims: Claims, claim: ClaimName): unknown {
  const steps = typeof claim === 'string' ? [claim] : claim
  let value: unknown = claims
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Claims)[step]
  }
  return value
}
