import assert from 'node:assert/strict'
import { getEntry } from '../../encoding/entries.js'
import { BitstringStatusList } from '../../types/bitstring-status-list.js'
import { planUpdate } from '../../updates/plan-update.js'
import { refused } from '../refused.js'

const layout = { statusSize: 1, order: 'msb', purposes: ['revocation'], encrypted: false } as const
const bits = Uint8Array.of(0b1000_0000, 0)
const list = () => ({ valueAt: (index: number) => getEntry(bits, layout, index), entries: 16 })
const plan = (action: string, indices: number[]) =>
  planUpdate(BitstringStatusList, layout, list(), { action, indices })

describe('update plan', () => {
  it('lists each changed index once', () => {
    assert.deepEqual(plan('revoke', [9, 0, 3, 9]), {
      changes: [
        [3, 1],
        [9, 1],
      ],
      value: 1,
      refused: [],
    })
    assert.deepEqual(plan('revoke', [0]).changes, [])
  })

  it('names every index outside the list', async () => {
    const error = await refused(() => plan('revoke', [1, 16, 2, 17]), { code: 'index_out_of_range' })
    assert.deepEqual(error.details, [
      { path: 'indices[1]', message: '16 is outside the list (0 to 15)' },
      { path: 'indices[3]', message: '17 is outside the list (0 to 15)' },
    ])
  })

  it('names every index that cannot change, before anything else', async () => {
    const error = await refused(() => plan('reinstate', [5, 0]), { code: 'irreversible' })
    assert.deepEqual(error.details, [{ path: 'indices[1]', message: '0 is permanently revoked' }])
  })

  it('refuses each index alone if asked to', () => {
    const indices = [5, 16, 0, 9]
    const of = (action: string) => {
      const actions = new Map(indices.map((index) => [index, action]))
      return planUpdate(BitstringStatusList, layout, list(), { action: '', indices, actions })
    }
    assert.deepEqual(of('revoke'), {
      changes: [
        [5, 1],
        [9, 1],
      ],
      value: 1,
      refused: [
        { index: 16, reason: 'index_out_of_range', message: 'index 16 is outside the list (0 to 15)' },
      ],
    })
    const { refused: kept } = of('reinstate')
    assert.deepEqual(
      kept.map(({ index, reason }) => [index, reason]),
      [
        [0, 'irreversible'],
        [5, 'purpose_mismatch'],
        [9, 'purpose_mismatch'],
        [16, 'index_out_of_range'],
      ],
    )
    assert.equal(kept[0]?.message, 'index 0 is permanently revoked')
  })

  it('checks that values of a type fit the width', async () => {
    const wide = { ...BitstringStatusList, nextValue: () => 2 }
    await refused(() => planUpdate(wide, layout, list(), { action: 'x', indices: [1] }), {
      code: 'value_too_wide',
    })
  })
})
