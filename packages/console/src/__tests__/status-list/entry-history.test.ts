import assert from 'node:assert/strict'
import { entryHistory } from '../../status-list/entry-history.js'

const version = (resourceId: string, ...values: number[]) => ({
  resourceId,
  created: `2026-01-0${resourceId}T00:00:00Z`,
  values: Uint8Array.from(values),
})

describe('history of an entry', () => {
  const versions = [version('4', 0, 1), version('3', 2, 1), version('2', 0, 1), version('1', 0, 0)]
  const told = (index: number, complete: boolean, some = versions) =>
    entryHistory(some, index, complete).map(({ resourceId, before, after }) => [resourceId, before, after])

  it('contains every change, newest first, and the initial state', () => {
    assert.deepEqual(told(0, true), [
      ['4', 2, 0],
      ['3', 0, 2],
      ['1', undefined, 0],
    ])
    assert.deepEqual(told(1, true), [
      ['2', 0, 1],
      ['1', undefined, 0],
    ])
  })

  it('does not invent an initial state if older versions were not read', () => {
    assert.deepEqual(told(1, false, versions.slice(0, 2)), [])
    assert.deepEqual(told(7, true), [])
  })
})
