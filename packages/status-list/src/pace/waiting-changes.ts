import type { StatusListType } from '@vidimus/core-types'
import { getEntry, setEntry } from '../encoding/entries.js'
import type { StartingPoint } from '../updates/overtaken-versions.js'
import type { UpdateOperation } from '../updates/plan-update.js'
import { valueAfter, type EntryChange } from './waiting-entries.js'

/** A waiting change with its number. */
export interface NumberedChange extends EntryChange {
  number: number
}

/** The changes of a list that its next version contains, whoever requests that version. */
export class WaitingChanges {
  /** @param numbers - of the last published change, and of the last stored one */
  constructor(
    private readonly changes: readonly NumberedChange[],
    private readonly numbers: { published: number; upTo: number },
  ) {}

  /**
   * The list with the waiting changes. An operation that gets a receipt finds its entries as it has stored them: later
   * changes of those wait for the following version.
   */
  appliedTo(
    type: StatusListType,
    start: StartingPoint,
    operations: readonly UpdateOperation[],
  ): StartingPoint {
    const { layout, entries } = start.list
    const bits = new Uint8Array(start.list.bits)
    const settled = settledValues(operations)
    const actions = new Set<string>()
    let { upTo } = this.numbers
    let changed = 0
    for (const change of this.changes) {
      if (change.index >= entries) continue
      const own = settled.get(change.index)
      const isLater = own !== undefined && change.number > own.number
      if (isLater) upTo = Math.min(upTo, change.number - 1)
      const current = getEntry(bits, layout, change.index)
      const value = isLater ? own.value : valueAfter(type, layout, current, change)
      if (value === current) continue
      setEntry(bits, layout, change.index, value)
      actions.add(isLater ? own.action : change.action)
      changed += 1
    }
    return {
      ...start,
      list: { ...start.list, bits },
      differs: start.differs || changed > 0,
      ...(upTo > this.numbers.published && { waiting: { changed, actions: [...actions], upTo } }),
    }
  }
}

interface SettledValue {
  value: number
  number: number
  action: string
}

/** The first operation with a receipt decides; the engine defers others that name the same entry. */
function settledValues(operations: readonly UpdateOperation[]): Map<number, SettledValue> {
  const settled = new Map<number, SettledValue>()
  for (const { action, receipt, stored } of operations) {
    if (!receipt || !stored) continue
    for (const [index, value] of stored.values) {
      if (!settled.has(index)) settled.set(index, { value, number: stored.number, action })
    }
  }
  return settled
}
