import assert from 'node:assert/strict'
import { nearMiss } from '../../input/near-miss.js'

describe('nearMiss', () => {
  const known = ['did', 'statusListName', 'indices', 'index', 'statusListVersion']
  for (const [name, meant] of [
    ['statuslistname', 'statusListName'],
    ['status_list_name', 'statusListName'],
    ['statusListNmae', 'statusListName'],
    ['indexes', 'indices'],
    ['dids', 'did'],
    ['surprise', undefined],
    ['x', undefined],
    ['statusListName'.repeat(100), undefined],
  ] as const) {
    it(`suggests ${meant} for ${name.slice(0, 30)}`, () => assert.equal(nearMiss(name, known), meant))
  }
})
