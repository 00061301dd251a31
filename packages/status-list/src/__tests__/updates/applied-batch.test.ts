import assert from 'node:assert/strict'
import type { StatusListLayout } from '@vidimus/core-types'
import { BitstringStatusList } from '../../types/bitstring-status-list.js'
import { applyInOrder } from '../../updates/applied-batch.js'
import type { StartingPoint } from '../../updates/overtaken-versions.js'
import type { UpdateOperation } from '../../updates/plan-update.js'

const layout: StatusListLayout = { statusSize: 1, order: 'msb', purposes: ['suspension'], encrypted: false }

function applied(...operations: UpdateOperation[]) {
  const list = { layout, bits: new Uint8Array(16), entries: 128, secured: true }
  const start = { list, differs: false } as unknown as StartingPoint
  const callers = operations.map((operation) => ({
    operation,
    resolve: () => undefined,
    reject: () => assert.fail('nothing is refused'),
  }))
  const batch = applyInOrder(BitstringStatusList, start, callers)
  return { together: batch.applied.length, later: batch.deferred.map(({ operation }) => operation.action) }
}

describe('updates sharing a version', () => {
  const reinstate = { action: 'reinstate', indices: [5, 6] }
  const suspend = { action: 'suspend', indices: [5] }

  it("do not change an entry in another caller's receipt, even if that caller changed nothing", () => {
    assert.deepEqual(applied({ ...reinstate, receipt: true }, suspend), { together: 1, later: ['suspend'] })
    assert.deepEqual(applied(reinstate, suspend), { together: 2, later: [] })
  })

  it('include receipts only of final values', () => {
    const again = { ...suspend, receipt: true }
    assert.deepEqual(applied(suspend, again), { together: 2, later: [] })
    assert.deepEqual(applied(suspend, { ...reinstate, receipt: true }), { together: 1, later: ['reinstate'] })
    assert.deepEqual(applied({ ...reinstate, receipt: true }, { ...suspend, indices: [7] }), {
      together: 2,
      later: [],
    })
  })
})
