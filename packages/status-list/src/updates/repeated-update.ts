import { currentCaller, notYetReported, type ILedgerChanges, type NamedVersion } from '@vidimus/core-types'
import type { IAgentContext } from '@veramo/core-types'
import { storedOrPublished, type PacedParts } from '../pace/paced-update.js'
import { listOfKind, type UpdateTarget } from './update-target.js'
import type { UpdateOutcome } from './applied-batch.js'
import type { UpdateOperation } from './plan-update.js'

/** A change as it was recorded with its version; a version that another writer overtook has a successor. */
interface RecordedUpdate {
  /** absent: it was stored, for a list that publishes at intervals */
  version?: NamedVersion
  changed: number[]
  value: number
}

/** Updates a list, once for all runs of the request in scope: one that was interrupted may have made its change. */
export async function updateOnce(
  target: UpdateTarget,
  operation: UpdateOperation,
  parts: PacedParts,
): Promise<UpdateOutcome> {
  const submit = (asked: UpdateOperation) => storedOrPublished(target, asked, parts)
  const run = currentCaller()?.run
  const { changes } = run ?? {}
  if (!run || !changes) return submit(operation)
  const mark = run.nextMark()
  const text = run.before && (await changes.find(mark))
  const tried = text === undefined ? [] : (JSON.parse(text) as RecordedUpdate[])
  const made = await madeUpdate(tried, parts)
  if (made) return recordedOutcome(made, target, operation, parts)
  return submit({
    ...operation,
    recordOf: ({ changes: changed, value }) =>
      changes.record(mark, (version) => {
        tried.push({ ...(version && named(version)), changed: changed.map(([index]) => index), value })
        return JSON.stringify(tried)
      }),
  })
}

const named = ({ kind, did, versionId }: NamedVersion) => ({ version: { kind, did, versionId } })

/** @throws AgentError `ledger_unavailable` as long as a ledger may still get it */
async function madeUpdate(
  tried: readonly RecordedUpdate[],
  { context }: PacedParts,
): Promise<RecordedUpdate | undefined> {
  const { agent } = context as unknown as IAgentContext<ILedgerChanges>
  let isOpen = false
  for (const update of tried) {
    const { fate } = update.version
      ? await agent.ledgerChangeFate(update.version)
      : { fate: 'happened' as const }
    if (fate === 'happened') return update
    isOpen ||= fate === 'open'
  }
  if (!isOpen) return undefined
  throw notYetReported()
}

async function recordedOutcome(
  { version, changed, value }: RecordedUpdate,
  target: UpdateTarget,
  { action, indices, receipt }: UpdateOperation,
  { paces, lists, context, read, publish }: PacedParts,
): Promise<UpdateOutcome> {
  const located = await read()
  listOfKind(located, target)
  const { location } = located
  const outcome = { changed, value, refused: [], paid: 0n }
  if (version) {
    const published = await lists.version(target.type, location, version.versionId, context)
    if (published) return { published, ...outcome }
  }
  if (receipt) {
    // If another update has changed an entry since, there is no version to have a receipt for.
    const stored = { values: new Map(indices.map((index) => [index, value])), number: Infinity }
    return { ...(await publish({ action, indices, receipt, stored })), ...outcome, pace: { published: true } }
  }
  const shown = await paces.shown(location)
  const visibleFrom =
    'visibleFrom' in shown && typeof shown.visibleFrom === 'string' ? shown.visibleFrom : undefined
  const pace =
    visibleFrom === undefined ? { published: true } : { published: false, visibleFrom: new Date(visibleFrom) }
  return { published: await lists.documented(target.type, located, context), ...outcome, pace }
}
