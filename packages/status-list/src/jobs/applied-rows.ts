import {
  asBuffer,
  type JobPart,
  type JobStep,
  type StatusListLocation,
  type StoredJob,
} from '@vidimus/core-types'
import { getEntry, setEntry } from '../encoding/entries.js'
import { ownList, type OwnList } from '../register/own-lists.js'
import { planUpdate, type RefusedIndex } from '../updates/plan-update.js'
import type { UpdateBatches } from '../updates/update-batches.js'
import { listOfKind } from '../updates/update-target.js'
import { isSameList } from '../versions/list-location.js'
import { refusedParts, refusedRow, rowsIn, type RefusedRow, type RowsOfList } from './job-parts.js'
import type { TargetSources } from './job-targets.js'
import { isRefusal } from './refusals.js'

type Row = RowsOfList['rows'][number]

/** Rows of a list in one version: it bounds how long others wait for the processor. */
const MOST_ROWS = 20_000
/** Parts that are read for a version. */
const MOST_PARTS = 40

export interface Applying extends TargetSources {
  batches: UpdateBatches
  /** what a dry run would have changed in the list that it is at */
  preview: ListPreview
}

/** The bits of a list as a dry run would leave them. */
export class ListPreview {
  private current: { list: StatusListLocation; bits: Uint8Array } | undefined

  bits(list: StatusListLocation, published: Uint8Array): Uint8Array {
    if (!this.current || !isSameList(this.current.list, list)) {
      this.current = { list, bits: Uint8Array.from(asBuffer(published)) }
    }
    return this.current.bits
  }
}

/**
 * Applies the next rows of a job: of one list, in one version of it.
 *
 * The rows are recorded as done after the version is published. After a crash in between they are applied again, with
 * the same result: no entry is changed twice in one version.
 *
 * @returns `undefined` if there are no more
 */
export async function applyNext(job: StoredJob, applying: Applying): Promise<JobStep | undefined> {
  const parts = await applying.store.jobs.parts(job, 'rows', { most: MOST_PARTS })
  const taken = takeRows(parts)
  if (!taken) return undefined
  const { list, rows, changed, done } = taken
  const refused = await applyRows(job, list, rows, applying)
  return {
    applied: rows.length - refused.length,
    refused: refused.length,
    parts: refusedParts(refused),
    changed,
    done,
  }
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
  rows: readonly Row[],
  applying: Applying,
): Promise<RefusedRow[]> {
  let own: OwnList
  try {
    own = await ownList(list, applying)
  } catch (error) {
    return rows.map((row) => ({ ...refusedRow(row[0], error), ...hashMember(row) }))
  }
  const byAction = new Map<string, Row[]>()
  for (const row of rows) {
    const some = byAction.get(row[2])
    if (some) some.push(row)
    else byAction.set(row[2], [row])
  }
  const apply = job.dryRun ? previewAction : publishAction
  const refused = await Promise.all(
    [...byAction].map(async ([action, some]) => {
      try {
        const indices = some.map(([, index]) => index)
        return refusedAmong(some, await apply(own, { action, indices }, applying))
      } catch (error) {
        if (!isRefusal(error)) throw error
        return some.map((row) => ({ ...refusedRow(row[0], error), ...hashMember(row) }))
      }
    }),
  )
  return refused.flat()
}

type Apply = (
  own: OwnList,
  operation: { action: string; indices: readonly number[] },
  applying: Applying,
) => Promise<readonly RefusedIndex[]>

/** All actions of a step join the same version. */
const publishAction: Apply = async ({ type, location, list }, operation, { batches, context }) => {
  const { did, statusListName, resourceType } = location
  const { encrypted } = list.layout
  const target = { type, did, statusListName, resourceTypes: [resourceType], encrypted }
  const { refused } = await batches.submit(target, { ...operation, eachAlone: true }, context)
  return refused
}

const previewAction: Apply = (own, operation, { preview }) => {
  const { type, location, list } = own
  const { encrypted } = list.layout
  const resourceTypes = [location.resourceType]
  const {
    layout,
    entries,
    bits: published,
  } = listOfKind(own, { type, ...location, resourceTypes, encrypted })
  const bits = preview.bits(location, published)
  const current = { valueAt: (index: number) => getEntry(bits, layout, index), entries }
  const { changes, refused } = planUpdate(type, layout, current, { ...operation, eachAlone: true })
  for (const [index, value] of changes) setEntry(bits, layout, index, value)
  return Promise.resolve(refused)
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
