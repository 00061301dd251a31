import type { IIdentifier, IKey } from '@veramo/core-types'
import type { ManagedPrivateKey } from '@veramo/key-manager'
import type { Connection } from '@vidimus/database'
import type { CreationMark } from '@vidimus/idempotency'
import type { z } from 'zod'

/** One staged write: it runs in the transaction that ends the unit. */
export type Step = (transaction: Transaction) => Promise<void>

/** The tools of a step. */
export interface Transaction {
  connection: Connection
  /** names of the rows that did not exist before the unit: an undo may remove them */
  made: MadeRows
  /**
   * whether what the unit has just made up, as a new key, is taken for new without a look: if a unique constraint refuses it, the
   * steps are run again, and look
   */
  presumesNew: boolean
}

export interface MadeRows {
  keys: Set<ScopedName>
  privateKeys: Set<ScopedName>
}

export interface RowTypes {
  keys: IKey
  privateKeys: ManagedPrivateKey
  identifiers: IIdentifier
}

/** The effect of the staged writes; `null`: deleted. */
export type Rows = { readonly [Kind in keyof RowTypes]: Map<ScopedName, RowTypes[Kind] | null> }

/** The name of something together with its account; the bare name is not found where these are kept. */
export type ScopedName = string & z.$brand<'scoped name'>

/** Accounts know different things under one name. The id of an account has a fixed length. */
export const scopedName = (accountId: string, name: string) => `${accountId}:${name}` as ScopedName

/** The name behind a scoped name of the account, or `undefined` for another's. */
export const unscopedName = (accountId: string, scoped: ScopedName) =>
  scoped.startsWith(`${accountId}:`) ? scoped.slice(accountId.length + 1) : undefined

/** Runs after a unit failed. `work`: before anything of its end was written; `commit`: while that was done. */
export type FailureHook = (failure: { error: unknown; during: 'work' | 'commit' }) => Promise<void>

/** What is known of the DID that is being created, beyond what its provider sees. */
export interface CreationRequest {
  alias?: string
  provider?: string
  /** of a request with an idempotency key */
  mark?: CreationMark
}

/**
 * The staged writes of one call. A nested call is a unit within the unit: it sees what the outer one has staged, and
 * passes its own on when it succeeds, so that a failing inner call leaves nothing in the outer one.
 */
export class Unit {
  steps: Step[] = []
  readonly rows: Rows = { keys: new Map(), privateKeys: new Map(), identifiers: new Map() }
  readonly failureHooks: FailureHook[] = []
  /** the meaning of a failed transaction for its participants */
  readonly refusals: ((error: unknown) => unknown)[] = []
  creation: CreationRequest | undefined
  /** the agent method that it is the work of */
  method: string | undefined
  /** whether that changes the document of a DID, wherever it is kept */
  changesDocument = false
  /** Work that outlives its unit must not stage into the void. */
  closed = false
  /** An error that its work may have swallowed, but that must not be followed by a commit. */
  failure: { error: unknown } | undefined

  readonly made: MadeRows
  /** the versions of DIDs that the unit has read, by scoped name: it may replace these */
  readonly versions: Map<string, number>
  /** and their content as read */
  readonly bases: Map<string, IIdentifier>
  /** the creations and changes of DIDs on a ledger that belong to the unit */
  readonly creations: Set<string>
  /** completed changes that their own steps record */
  readonly told: Set<string>

  constructor(readonly parent: Unit | undefined) {
    this.made = parent?.made ?? { keys: new Set(), privateKeys: new Set() }
    this.versions = parent?.versions ?? new Map<string, number>()
    this.bases = parent?.bases ?? new Map<string, IIdentifier>()
    this.creations = parent?.creations ?? new Set<string>()
    this.told = parent?.told ?? new Set<string>()
  }

  /** This unit and those around it, the outermost first. */
  chain(): Unit[] {
    return this.parent ? [...this.parent.chain(), this] : [this]
  }

  /** The staged state of one row; `undefined`: none. */
  find<Kind extends keyof RowTypes>(kind: Kind, name: ScopedName): RowTypes[Kind] | null | undefined {
    for (const { rows } of this.chain().reverse()) {
      const row = rows[kind].get(name)
      if (row !== undefined) return row
    }
    return undefined
  }

  /** The staged state of all rows of a kind, inner units over outer ones. */
  all<Kind extends keyof RowTypes>(kind: Kind): Map<ScopedName, RowTypes[Kind] | null> {
    const all = new Map<ScopedName, RowTypes[Kind] | null>()
    for (const { rows } of this.chain()) for (const [name, row] of rows[kind]) all.set(name, row)
    return all
  }

  /** Whether the key that it stores was made for it, and did not come from anywhere. */
  get makesKey(): boolean {
    return this.method === 'keyManagerCreate'
  }

  /** The creation that the work belongs to, wherever it was asked for. */
  creationRequest(): CreationRequest | undefined {
    return this.creation ?? this.parent?.creationRequest()
  }

  mergeInto(parent: Unit): void {
    parent.steps.push(...this.steps)
    parent.failureHooks.push(...this.failureHooks)
    parent.refusals.push(...this.refusals)
    for (const [name, row] of this.rows.keys) parent.rows.keys.set(name, row)
    for (const [name, row] of this.rows.privateKeys) parent.rows.privateKeys.set(name, row)
    for (const [name, row] of this.rows.identifiers) parent.rows.identifiers.set(name, row)
  }
}
