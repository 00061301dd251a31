import { randomUUID } from 'node:crypto'
import {
  AgentError,
  currentCaller,
  isAgentError,
  mayHaveMade,
  overdueWork,
  signerLeft,
} from '@vidimus/core-types'
import type { LedgerDidDoc, LedgerReceipt } from '@vidimus/ledger'
import type { IKey } from '@veramo/core-types'
import type { SigningContext } from './held-keys.js'
import { askLedger, type LocatedDid } from './ledgers-by-network.js'
import { readLiveDidDoc } from './live-did-doc.js'
import { isRefusedSignature, submitSigned } from './message-signing.js'

/** The new document, and the account's keys that may sign for it. */
export interface NextDidDoc {
  next: LedgerDidDoc
  keys: readonly IKey[]
}

/** A change of a DID document. */
export interface DidDocChange {
  located: LocatedDid
  /** based on the newest document, again if another writer was faster; the same document if nothing changes */
  of: (current: LedgerDidDoc) => NextDidDoc | Promise<NextDidDoc>
  /**
   * - `made of the newest`: the change is made again if another writer was faster;
   * - `whatever there is`: it stands alone, and replaces what others have written;
   * - the id of a version: it is based on that one only.
   */
  basis: 'made of the newest' | 'whatever there is' | { versionId: string }
}

export interface ChangedDidDoc {
  before: LedgerDidDoc
  after: LedgerDidDoc
  versionId: string
  /** absent if nothing was written */
  txHash?: string
}

/** Another writer's version that one of ours has replaced unseen. */
interface CoveredDidDoc {
  didDoc: LedgerDidDoc
  writtenId: string
}

/** Other writers of one document win this often before the caller gets a conflict. */
const MOST_ATTEMPTS = 25

/**
 * Changes a DID document without losing a change of another writer: every version states to the ledger on which one
 * it is based. A ledger with blocks cannot refuse it because of that; if two writers meet in a block, it turns out
 * afterwards that the later version has replaced the earlier one, whose document is then continued from, or restored.
 *
 * @throws AgentError `version_conflict` if the document is not the one that the change was based on, or other writers
 *   won every time; otherwise as {@link readLiveDidDoc} and {@link submitSigned} do
 */
export async function changeDidDoc(change: DidDocChange, context: SigningContext): Promise<ChangedDidDoc> {
  const { located, basis } = change
  const earlier = await changedBefore(located, context)
  if (earlier) return earlier
  let covered: CoveredDidDoc | undefined
  for (let attempt = 1; ; attempt++) {
    const { didDoc: newest, metadata } = await readLiveDidDoc(located)
    demandBasis(basis, metadata.versionId)
    const before = covered?.writtenId === metadata.versionId ? covered.didDoc : newest
    const { next, keys } = await change.of(before)
    if (next === newest) return { before, after: next, versionId: metadata.versionId }
    const versionId = currentCaller()?.run?.nextVersionId(located.did) ?? randomUUID()
    const version = { current: newest, next, keys, versionId, follows: metadata.versionId }
    try {
      const { txHash } = await writeVersion(version, located, context)
      return { before, after: next, versionId: version.versionId, txHash }
    } catch (error) {
      if (!isAgentError(error) || overdueWork(error)) throw error
      if (error.code !== 'version_conflict' && !(await isOvertaken(error, version, located))) throw error
      covered = await coveredBy(version.versionId, located)
      if (covered && basis === 'whatever there is') {
        return { before, after: next, versionId: version.versionId }
      }
      if (covered && typeof basis === 'object') await putBack(covered, version, located, context)
      if (typeof basis === 'object' || attempt === MOST_ATTEMPTS) throw asConflict(error, located)
    }
  }
}

/** A key that left the document meanwhile is noticed by its signature, before the version that has overtaken ours. */
const isOvertaken = async (error: unknown, { follows }: DidDocVersion, located: LocatedDid) =>
  isRefusedSignature(error) && (await readLiveDidDoc(located)).metadata.versionId !== follows

const asConflict = (error: AgentError, { did }: LocatedDid): AgentError =>
  error.code === 'version_conflict' ? error : signerLeft(did, error)

/** The newest document, if an earlier run of the request has made the change: what others have written since stays. */
async function changedBefore(
  located: LocatedDid,
  context: SigningContext,
): Promise<ChangedDidDoc | undefined> {
  const { did, ledger } = located
  const { run } = currentCaller() ?? {}
  const isMade = async (versionId: string): Promise<boolean> => {
    const isThere = async () => (await askLedger(ledger.getDidDoc(did, versionId))) !== undefined
    // In this order: a change that is completed here changes rows that the caller has read.
    return (
      (await isThere()) || ((await mayHaveMade({ kind: 'document', did, versionId }, context)) && isThere())
    )
  }
  for (const versionId of run?.earlierVersionIds(did, MOST_ATTEMPTS) ?? []) {
    const [undone = ''] = run?.earlierVersionIds(putBackOf(versionId), 1) ?? []
    if (!(await isMade(versionId)) || (await isMade(undone))) continue
    const { didDoc } = await readLiveDidDoc(located)
    return { before: didDoc, after: didDoc, versionId }
  }
  return undefined
}

/** The result of a change that the ledger has already. */
export async function withoutWriting({ located, of }: DidDocChange): Promise<ChangedDidDoc> {
  const { didDoc: before, metadata } = await readLiveDidDoc(located)
  return { before, after: (await of(before)).next, versionId: metadata.versionId }
}

interface DidDocVersion {
  current: LedgerDidDoc
  next: LedgerDidDoc
  keys: readonly IKey[]
  versionId: string
  /** the version on which it is based */
  follows: string
}

function writeVersion(
  { current, next, keys, versionId, follows }: DidDocVersion,
  { ledger }: LocatedDid,
  context: SigningContext,
): Promise<LedgerReceipt> {
  const message = { type: 'updateDidDoc' as const, payload: { ...next, versionId } }
  return submitSigned({ message, current, keys }, ledger, context, { expectedPrevious: follows })
}

function demandBasis(basis: DidDocChange['basis'], newest: string): void {
  if (typeof basis !== 'object' || basis.versionId.toLowerCase() === newest) return
  throw new AgentError(
    'version_conflict',
    `the newest version of the DID document is ${newest}, not ${basis.versionId}, which the change is based on`,
  )
}

/** @returns `undefined` if the version was not written, as expected after a conflict */
async function coveredBy(writtenId: string, { did, ledger }: LocatedDid): Promise<CoveredDidDoc | undefined> {
  const written = await askLedger(ledger.getDidDoc(did, writtenId))
  const previous = written?.metadata.previousVersionId
  const theirs = previous ? await askLedger(ledger.getDidDoc(did, previous)) : undefined
  return theirs && { didDoc: theirs.didDoc, writtenId }
}

/** What names the version that undoes another one. */
const putBackOf = (versionId: string): string => `instead of ${versionId}`

/** A change of one version must not change another: the replaced one is written once more. */
async function putBack(
  { didDoc, writtenId }: CoveredDidDoc,
  { next, keys }: DidDocVersion,
  located: LocatedDid,
  context: SigningContext,
): Promise<void> {
  const versionId = currentCaller()?.run?.nextVersionId(putBackOf(writtenId)) ?? randomUUID()
  const version = { current: next, next: didDoc, keys, versionId, follows: writtenId }
  try {
    await writeVersion(version, located, context)
  } catch (cause) {
    const message = `the version ${writtenId} of the DID document overwrote a version it was not based on, which could not be restored`
    throw new AgentError('version_conflict', message, { cause })
  }
}
