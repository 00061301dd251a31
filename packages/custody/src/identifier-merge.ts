import { isDeepStrictEqual } from 'node:util'
import type { DIDResolutionResult, IAgentContext, IIdentifier } from '@veramo/core-types'
import { AgentError } from '@vidimus/core-types'
import { workOn } from '@vidimus/work'
import { readIdentifiers } from './identifier-rows.js'
import { writeIdentifier, type WritableIdentifier, type WrittenIdentifier } from './identifier-writes.js'
import { askToFollow } from './ledger-change-rows.js'
import type { Transaction } from './unit.js'
import type { UnitOfWork } from './unit-of-work.js'

/** What a ledger has accepted is not refused: it is merged into the current state of the DID. */
export async function writeAccepted(
  { database }: UnitOfWork,
  { transaction, account }: { transaction: Transaction; account: string },
  { identifier, expected, base }: { identifier: WritableIdentifier; expected: number; base: IIdentifier },
): Promise<WrittenIdentifier> {
  const { connection } = transaction
  const [held] = await readIdentifiers(connection, account, [identifier.did])
  // If the DID was deleted in the account, that came after the change.
  if (!held) return { before: 'held', isUnchanged: true }
  const { version } = held
  if (version === expected)
    return writeIdentifier(transaction, account, identifier, { expectedVersion: version })
  askToFollow(connection, workOn(database), account, identifier.did)
  const merged = mergeIdentifier(held.identifier, base, identifier)
  return writeIdentifier(transaction, account, merged, { expectedVersion: version })
}

/**
 * The account's rows of the keys and services of a DID follow its document. If others write them meanwhile, they are made to again.
 *
 * @throws AgentError `did_not_found`, `did_not_resolvable`
 */
export function bringInLine(unit: UnitOfWork, did: string, { agent }: IAgentContext<{}>): Promise<void> {
  return unit.run(async () => {
    unit.current?.told.add(did)
    // Before the document: a version that is read after it may be one that follows a newer document.
    await agent.execute('didManagerGet', { did })
    const { didDocument, didDocumentMetadata } = await agent.execute<unknown, DIDResolutionResult>(
      'resolveDid',
      { didUrl: did, options: { linkedResourceMetadata: false } },
    )
    if (didDocumentMetadata.deactivated) return
    if (!didDocument) throw new AgentError('did_not_resolvable', `did: ${did} cannot be resolved`)
    await agent.execute('didManagerUpdate', { did, document: didDocument, options: { localOnly: true } })
  })
}

/**
 * Merges the changes of a call into those that others have made to the DID meanwhile: the ledger has accepted both,
 * so that neither may be refused or lost. The alias, which no document contains, is that of the others.
 *
 * @param base - the state from which the call derived `next`
 */
function mergeIdentifier(
  current: IIdentifier,
  base: IIdentifier,
  { alias: _, ...next }: WritableIdentifier,
): WritableIdentifier {
  return {
    ...next,
    keys: mergeList(current.keys, base.keys, next.keys, ({ kid }) => kid),
    services: mergeList(current.services, base.services, next.services, ({ id }) => id),
  }
}

function mergeList<T>(
  current: readonly T[],
  base: readonly T[],
  next: readonly T[],
  nameOf: (item: T) => string,
): T[] {
  const named = (items: readonly T[]) => new Map(items.map((item) => [nameOf(item), item]))
  const [before, after] = [named(base), named(next)]
  const merged = named(current)
  for (const name of before.keys()) if (!after.has(name)) merged.delete(name)
  for (const [name, item] of after) {
    if (!isDeepStrictEqual(before.get(name), item)) merged.set(name, item)
  }
  return [...merged.values()]
}
