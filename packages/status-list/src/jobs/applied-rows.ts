import type { JobPart, JobStep, StatusListLocation, StoredJob } from '@vidimus/core-types'
import { getEntry, setEntry } from '../encoding/entries.js'
import type { PacedLists } from '../pace/paced-lists.js'
import { ownList, type OwnList } from '../register/own-lists.js'
import { planUpdate, type RefusedIndex } from '../updates/plan-update.js'
import type { UpdateBatches } from '../updates/update-batches.js'
import type { DecodedList } from '../versions/decoded-list.js'
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
  let apply: Apply
  try {
    const own = await ownList(list, applying)
    apply = job.dryRun ? previewed(own, await applying.preview.open(own, applying)) : published(own, applying)
  } catch (error) {
    return rows.map((row) => ({ ...refusedRow(row[0], error), ...hashMember(row) }))
  }
  const byAction = new Map<string, Row[]>()
  for (const row of rows) {
    const some = byAction.get(row[2])
    if (some) some.push(row)
    else byAction.set(row[2], [row])
  }
  const refused = await Promise.all(
    [...byAction].map(async ([action, some]) => {
      try {
        const indices = some.map(([, index]) => index)
        return refusedAmong(some, await apply({ action, indices }))
      } catch (error) {
        if (!isRefusal(error)) throw error
        return some.map((row) => ({ ...refusedRow(row[0], error), ...hashMember(row) }))
      }
    }),
  )
  return refused.flat()
}

type Apply = (operation: { action: string; indices: readonly number[] }) => Promise<readonly RefusedIndex[]>

/** All actions of a step join the same version. */
function published({ type, location, list }: OwnList, { batches, context }: Applying): Apply {
  const { resourceType, ...name } = location
  const target = { type, ...name, resourceTypes: [resourceType], encrypted: list.layout.encrypted }
  return async (operation) => {
    const { refused } = await batches.submit(target, { ...operation, eachAlone: true }, context)
    return refused
  }
}

function previewed({ type }: OwnList, { layout, bits, entries }: DecodedList): Apply {
  const current = { valueAt: (index: number) => getEntry(bits, layout, index), entries }
  return (operation) => {
    const { changes, refused } = planUpdate(type, layout, current, { ...operation, eachAlone: true })
    for (const [index, value] of changes) setEntry(bits, layout, index, value)
    return Promise.resolve(refused)
  }
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
