import type {
  JobPart,
  JobStep,
  HeldJob,
  StatusListLocation,
  StoredJob,
  WithVersion,
} from '@vidimus/core-types'
import { getEntry, setEntry } from '../encoding/entries.js'
import type { PacedLists } from '../pace/paced-lists.js'
import { ownList, type OwnList } from '../register/own-lists.js'
import { planUpdate, type RefusedIndex, type UpdateOperation } from '../updates/plan-update.js'
import type { UpdateBatches } from '../updates/update-batches.js'
import type { DecodedList } from '../versions/decoded-list.js'
import { isSameList } from '../versions/list-location.js'
import { refusedParts, refusedRow, rowsIn, type RefusedRow, type RowsOfList } from './job-parts.js'
import type { TargetSources } from './job-targets.js'

type Row = RowsOfList['rows'][number]

/** Rows of a list in one version: it bounds how long others wait for the processor. */
const MOST_ROWS = 20_000
/** Parts that are read for a version. */
const MOST_PARTS = 40

export interface Applying extends TargetSources {
  batches: UpdateBatches
  paces: PacedLists
  /** what a dry run would have changed in the list that it is at */
  preview: ListPreview
}

/** A list as a dry run would leave it. */
export class ListPreview {
  private current: DecodedList | undefined
  private location: StatusListLocation | undefined

  /** The bits may be changed. */
  async open(own: OwnList, applying: Applying): Promise<DecodedList> {
    if (this.current && isSameList(this.location, own.location)) return this.current
    const stored = await applying.paces.storedList(own.type, () => ownList(own.location, applying))
    this.location = own.location
    this.current = { ...stored, bits: Uint8Array.from(stored.bits) }
    return this.current
  }
}

/**
 * Applies the next rows of a job: of one list, in one version of it, which records them as done.
 *
 * @returns the step, to be recorded if no version was needed; `undefined` if there are no more rows
 */
export async function applyNext(held: HeldJob, applying: Applying): Promise<JobStep | undefined> {
  const job = held.current
  const parts = await applying.store.jobs.parts(job, 'rows', { most: MOST_PARTS })
  const taken = takeRows(parts)
  if (!taken) return undefined
  const { list, rows, changed, done } = taken
  const step = (refused: readonly RefusedRow[]): JobStep => ({
    applied: rows.length - refused.length,
    refused: refused.length,
    parts: refusedParts(refused),
    changed,
    done,
  })
  const record = (refused: readonly RefusedIndex[]) => held.stepWithVersion(step(refusedAmong(rows, refused)))
  return step(await applyRows(job, list, { rows, record }, applying))
}

/**
 * The first rows: of one list, and without two actions on one index, as the second must find what the first has left.
 */
function takeRows(
  parts: readonly JobPart[],
): { list: StatusListLocation; rows: Row[]; changed: JobPart[]; done: JobPart[] } | undefined {
  const [first] = parts
  if (!first) return undefined
  const { list } = rowsIn(first)
  const actions = new Map<number, string>()
  const taken: Row[] = []
  const done: JobPart[] = []
  for (const part of parts) {
    const { list: other, rows } = rowsIn(part)
    if (!isSameList(list, other) || taken.length >= MOST_ROWS) break
    const end = rows.findIndex(([, index, action]) => {
      const earlier = actions.get(index)
      actions.set(index, earlier ?? action)
      return earlier !== undefined && earlier !== action
    })
    taken.push(...(end === -1 ? rows : rows.slice(0, end)))
    if (end !== -1) {
      const content = JSON.stringify({ list, rows: rows.slice(end) })
      return { list, rows: taken, changed: [{ ...part, content }], done }
    }
    done.push(part)
  }
  return { list, rows: taken, changed: [], done }
}

async function applyRows(
  job: StoredJob,
  list: StatusListLocation,
  { rows, record }: { rows: readonly Row[]; record: (refused: readonly RefusedIndex[]) => WithVersion },
  applying: Applying,
): Promise<RefusedRow[]> {
  const actions = new Map(rows.map(([, index, action]) => [index, action]))
  const operation = { action: '', indices: [...actions.keys()], actions }
  try {
    const own = await ownList(list, applying)
    const refused = job.dryRun
      ? preview(own, await applying.preview.open(own, applying), operation)
      : await publish(own, { ...operation, recordOf: ({ refused }) => record(refused) }, applying)
    return refusedAmong(rows, refused)
  } catch (error) {
    return rows.map((row) => ({ ...refusedRow(row[0], error), ...hashMember(row) }))
  }
}

async function publish(
  { type, location, list }: OwnList,
  operation: UpdateOperation,
  { batches, context }: Applying,
): Promise<readonly RefusedIndex[]> {
  const { resourceType, ...name } = location
  const target = { type, ...name, resourceTypes: [resourceType], encrypted: list.layout.encrypted }
  const { refused } = await batches.submit(target, operation, context)
  return refused
}

function preview(
  { type }: OwnList,
  { layout, bits, entries }: DecodedList,
  operation: UpdateOperation,
): readonly RefusedIndex[] {
  const current = { valueAt: (index: number) => getEntry(bits, layout, index), entries }
  const { changes, refused } = planUpdate(type, layout, current, operation)
  for (const [index, value] of changes) setEntry(bits, layout, index, value)
  return refused
}

function refusedAmong(rows: readonly Row[], refused: readonly RefusedIndex[]): RefusedRow[] {
  if (refused.length === 0) return []
  const byIndex = new Map(refused.map((one) => [one.index, one]))
  return rows.flatMap((row) => {
    const found = byIndex.get(row[1])
    return found ? [{ line: row[0], reason: found.reason, message: found.message, ...hashMember(row) }] : []
  })
}

const hashMember = ([, , , credentialHash]: Row) => (credentialHash === undefined ? {} : { credentialHash })
