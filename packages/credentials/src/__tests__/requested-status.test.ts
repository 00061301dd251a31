import assert from 'node:assert/strict'
import { BOUNDS } from '@vidimus/core-types'
import { requestedStatusProblems } from '../status/requested-status.js'

const NAME = { statusListName: 'members' }

describe('requesting the status of a credential', () => {
  const good: unknown[] = [
    undefined,
    NAME,
    { ...NAME, listType: 'A', statusListType: 'A', statusPurpose: 'x', statusListIndex: 0 },
    { ...NAME, statusPurpose: ['x', 'y'], statusListIndex: '131071', did: 'did:test:one' },
    [NAME, { type: 'Any', whatever: [1] }],
    { type: 'Any', id: 'urn:1' },
  ]
  for (const one of good) {
    it(`accepts ${JSON.stringify(one)}`, () => assert.deepEqual(requestedStatusProblems(one), []))
  }

  const bad: [unknown, paths: string[], says?: RegExp][] = [
    [null, ['']],
    ['members', ['']],
    [7, ['']],
    [[], [''], /1 to 16/],
    [Array.from({ length: BOUNDS.statusEntries + 1 }, () => NAME), [''], /not 17/],
    [[NAME, 'x'], ['1']],
    [{}, ['type'], /statusListName/],
    [{ type: '' }, ['type']],
    [{ type: 'Any', id: 7 }, ['id']],
    [{ statusListName: '' }, ['statusListName']],
    [
      { ...NAME, listType: 7, did: 'x', statusPurpose: [], statusListIndex: 1.5 },
      ['did', 'listType', 'statusPurpose', 'statusListIndex'],
    ],
    [[NAME, { ...NAME, statusListIndex: '012' }], ['1.statusListIndex']],
    [{ ...NAME, statusListIndex: -1 }, ['statusListIndex']],
    [{ ...NAME, listType: 'A', statusListType: 'B' }, ['statusListType'], /must equal listType/],
    [{ ...NAME, statusListPurpose: 'x', type: 'Any' }, ['statusListPurpose', 'type'], /not a known field/],
    [
      { ...NAME, statusListRangeStart: 1, statusListRangeEnd: 2, indexNotIn: [] },
      ['statusListRangeStart', 'statusListRangeEnd', 'indexNotIn'],
      /a random free index/,
    ],
  ]
  for (const [one, paths, says = /./] of bad) {
    it(`refuses ${JSON.stringify(one)?.slice(0, 80)}`, () => {
      const problems = requestedStatusProblems(one)
      assert.deepEqual(
        problems.map(({ path }) => path.join('.')),
        paths,
      )
      for (const { message } of problems) assert.match(message, says)
    })
  }
})
