import type { IAgentContext, IPluginMethodMap } from '@veramo/core-types'
import { currentCaller } from './account.js'
import { isUnclear } from './account-events.js'
import type { LedgerPart } from './did-creation.js'
import type { AuditEntry } from './audit.js'
import { AgentError, isAgentError } from './errors.js'
import type { LinkedResourceMetadata } from './linked-resource.js'
import type { HandOver, NamedVersion, WithVersion } from './with-version.js'

/** Something that a ledger is about to be asked for, and that rows of the account must follow. */
export interface LedgerChange extends NamedVersion {
  /** the keys of the account that the DID may have then; none of them is deleted meanwhile */
  kids?: readonly string[]
  /** the changes of a new status list version to its entries, as callers named them */
  actions?: readonly string[]
}

/** The outcome of a {@link LedgerChange}; `unknown`: the ledger must be asked, by any process that can reach it. */
export type LedgerChangeOutcome = 'happened' | 'did not happen' | 'unknown'

/**
 * The interface between code that changes a ledger and the rows of the account. A ledger in the database of the
 * account changes in one transaction with them. No transaction spans any other: the change is recorded before it is
 * contacted, and audit trail, events and rows follow exactly once, whichever process dies.
 */
export interface ILedgerChanges extends IPluginMethodMap {
  /**
   * Makes a change of the account in scope, and its audit row, in one transaction.
   *
   * @returns `joined`: whether it was done; not if the ledger is in another database
   * @throws what the change throws, and `unavailable`
   */
  ledgerChangeTogether(args: {
    change: LedgerChange
    part: LedgerPart<FoundChange>
  }): Promise<{ joined: boolean }>
  /**
   * Records a change of the account in scope. Use {@link recordLedgerChange}, which reports the outcome as well.
   *
   * @returns what {@link ledgerChangeEnd} takes, and what must still be the case when the ledger gets the change
   * @throws AgentError `key_not_found`, `unavailable`, `version_conflict` if another process has taken over the request
   */
  ledgerChangeRecord(
    args: LedgerChange & { records?: readonly WithVersion[] },
  ): Promise<{ id: string; handOver: HandOver }>
  /**
   * Reports the outcome. Never rejects: what cannot be written now is written later.
   *
   * @param args - `resource`: what the ledger reports about it
   */
  ledgerChangeEnd(args: {
    id: string
    outcome: LedgerChangeOutcome
    resource?: LinkedResourceMetadata
  }): Promise<void>
  /**
   * What became of a recorded change of the account in scope; `open`: its ledger may still get it. A process that was at it and
   * seems to be gone cannot hand it over any more.
   */
  ledgerChangeFate(args: NamedVersion): Promise<{ fate: ChangeFate }>
}

export type ChangeFate = 'happened' | 'did not happen' | 'open'

/** A ledger's record of a change. */
export interface FoundChange {
  resource?: LinkedResourceMetadata
}

/** One of these methods must be called. */
export interface RecordedLedgerChange {
  /** absent if the agent does not record changes */
  readonly handOver?: HandOver
  happened(found?: FoundChange): Promise<void>
  /**
   * @param find - looks for the version if it was refused because of another writer, or in a repeated request: the ledger may
   *   have it all the same; `undefined`: it does not
   */
  failed(error: unknown, find: () => Promise<FoundChange | undefined>): Promise<void>
}

/** Whether ledger changes are recorded in this agent. */
export const recordsLedgerChanges = ({ agent }: IAgentContext<IPluginMethodMap>): boolean =>
  agent.availableMethods().includes('ledgerChangeRecord')

/**
 * Records a change, right before a ledger is contacted; does nothing if the agent does not record changes.
 *
 * @param records - what depends on its fate
 */
export async function recordLedgerChange(
  context: IAgentContext<IPluginMethodMap>,
  change: LedgerChange,
  records: readonly WithVersion[] = [],
): Promise<RecordedLedgerChange> {
  if (!recordsLedgerChanges(context)) return NOT_RECORDED
  const agent = context.agent as unknown as ILedgerChanges
  const { id, handOver } = await agent.ledgerChangeRecord({ ...change, records })
  const happened = (found: FoundChange = {}) => agent.ledgerChangeEnd({ id, outcome: 'happened', ...found })
  return {
    handOver,
    happened,
    failed: async (error, find) => {
      if (isUnclear(error)) return agent.ledgerChangeEnd({ id, outcome: 'unknown' })
      const isConflict = isAgentError(error) && error.code === 'version_conflict'
      // An earlier run of the same request may have made it.
      const mayBeThere = isConflict || currentCaller()?.run?.before !== undefined
      try {
        const found = mayBeThere ? await find() : undefined
        await (found ? happened(found) : agent.ledgerChangeEnd({ id, outcome: 'did not happen' }))
      } catch {
        await agent.ledgerChangeEnd({ id, outcome: 'unknown' })
      }
    },
  }
}

/**
 * Whether an earlier run of a request has made a version, which it cannot make any more otherwise.
 *
 * @returns `true` also if the agent does not record changes
 * @throws AgentError `ledger_unavailable` as long as the ledger may still get it
 */
export async function mayHaveMade(
  version: NamedVersion,
  context: IAgentContext<IPluginMethodMap>,
): Promise<boolean> {
  if (!recordsLedgerChanges(context)) return true
  const { fate } = await (context.agent as unknown as ILedgerChanges).ledgerChangeFate(version)
  if (fate === 'open') throw notYetReported()
  return fate === 'happened'
}

/** The earlier run of a request may still succeed. */
export const notYetReported = (): AgentError =>
  new AgentError(
    'ledger_unavailable',
    'the ledger has not yet reported the version of the first request; try again',
  )

const NOT_RECORDED: RecordedLedgerChange = {
  happened: () => Promise.resolve(),
  failed: () => Promise.resolve(),
}

/** The room of an audit row: messages of a list are as long as its publisher chooses. */
export const ACTIONS_TOLD = { most: 20, characters: 64 }

/** As many of them, and as much of each, as fits into a row. */
export const toldActions = (actions: readonly string[] = []): string[] =>
  actions.slice(0, ACTIONS_TOLD.most).map((action) => action.slice(0, ACTIONS_TOLD.characters))

/** The audit row of a ledger change. */
export function auditEntryOfChange(
  { kind, did, actions }: Pick<LedgerChange, 'kind' | 'did' | 'actions'>,
  resource?: LinkedResourceMetadata,
): AuditEntry {
  if (kind !== 'resource')
    return { event: kind === 'document' ? 'did-updated' : 'did-deactivated', subject: did }
  if (!resource) return { event: 'resource-updated', subject: did }
  const { resourceURI, resourceName, resourceType, previousVersionId } = resource
  const told = toldActions(actions)
  return {
    event: previousVersionId === null ? 'resource-created' : 'resource-updated',
    subject: resourceURI,
    detail: JSON.stringify({ resourceType, resourceName, ...(told.length > 0 && { actions: told }) }),
  }
}

/** Then another account publishes, or nobody can. */
const NOT_BY_THIS_ACCOUNT: ReadonlySet<string> = new Set([
  'did_not_found',
  'key_not_found',
  'did_deactivated',
])

/**
 * Publishes the waiting changes of a DID's lists, before its account cannot publish any more. Does nothing in agents
 * without lists.
 *
 * @throws AgentError as `statusListUpdate` does
 */
export async function publishWaiting(did: string, { agent }: IAgentContext<IPluginMethodMap>): Promise<void> {
  if (!agent.availableMethods().includes('statusListPublishWaiting')) return
  try {
    await agent.execute('statusListPublishWaiting', { did })
  } catch (error) {
    if (!isAgentError(error) || !NOT_BY_THIS_ACCOUNT.has(error.code)) throw error
  }
}
