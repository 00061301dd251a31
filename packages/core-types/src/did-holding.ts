import type { DIDDocument, IKey, IPluginMethodMap } from '@veramo/core-types'
import type { z } from 'zod'
import { currentCaller } from './account.js'
import { problemsError } from './errors.js'
import type * as schemas from './schemas/index.js'

export type DIDHeldKeyArgs = z.output<typeof schemas.DIDHeldKeyArgs>

/**
 * What is to be done as a DID, which determines where a key must be in its document. `publish`: to publish unsigned
 * content, for which anything that the ledger accepts will do: any verification method, or one of a controller.
 */
export type DIDAct = DIDHeldKeyArgs['act']

/** A key of the account, and its verification method. */
export interface HeldKey {
  /** absolute DID URL */
  methodId: string
  key: Pick<IKey, 'kid' | 'kms' | 'type' | 'publicKeyHex'>
}

/**
 * How an account holds a DID for one purpose, with which one request plans, signs and publishes. `didHolding` alone makes
 * it, for the account in scope, and no other account can use it.
 */
export interface DIDHolding extends HeldKey {
  readonly did: string
  readonly purpose: DIDAct
  /** as it resolved when the account was asked for */
  readonly document: DIDDocument
  /** of the document; absent where its DID method has none */
  readonly version?: string
  /** all keys that the account has of the DID, for what a ledger must accept */
  readonly keys: readonly IKey[]
}

/** JSON cannot contain this member: nothing from outside passes for a holding. */
const ACCOUNT = Symbol.for('vidimus: the account of a holding')

/** For `didHolding` alone: the holding of the account in scope. */
export const asHolding = (facts: DIDHolding): DIDHolding =>
  Object.freeze(Object.assign(facts, { [ACCOUNT]: currentCaller()?.account.id ?? '' }))

/** @throws AgentError `invalid_input` unless `didHolding` has made it for the account in scope */
export function demandHolding(holding: DIDHolding): DIDHolding {
  const { [ACCOUNT]: account } = (holding as (DIDHolding & { [ACCOUNT]?: string }) | undefined) ?? {}
  if (account === (currentCaller()?.account.id ?? '')) return holding
  throw problemsError('invalid_input', [
    { path: 'holding', message: 'must be what didHolding returns to the account' },
  ])
}

/** The one definition of who holds a DID, for all code that signs, reads protected content or allocates indices. */
export interface IDIDHolding extends IPluginMethodMap {
  /**
   * The key by which the account in scope holds a DID for an act: the account has the DID, and the key's own public
   * key and type are in the document as it resolves now, under the relationship that the act needs.
   *
   * @throws AgentError `did_not_found` if the account does not have the DID, `key_not_found` if the document has none
   *   of its keys for the act, `did_not_resolvable`, `did_deactivated`; details at the path `did`
   */
  didHeldKey(args: DIDHeldKeyArgs): Promise<HeldKey>
  /**
   * As {@link didHeldKey}, with the document: asked once by whoever then signs or publishes. Not for callers of other
   * services.
   */
  didHolding(args: DIDHoldingArgs): Promise<DIDHolding>
  /**
   * Signs a JWT with the key of a holding.
   *
   * @throws AgentError `invalid_input` if the holding is not of the account in scope, and what the KMS throws
   */
  didSign(args: DIDSignArgs): Promise<string>
}

export type DIDHoldingArgs = z.output<typeof schemas.DIDHoldingArgs>

export interface DIDSignArgs {
  holding: DIDHolding
  payload: Record<string, unknown>
  header?: Record<string, unknown>
  /** `false`: what the JWT belongs to contains its key, so the header has no `kid` */
  namesKey?: boolean
}
