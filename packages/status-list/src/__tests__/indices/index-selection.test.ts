import assert from 'node:assert/strict'
import fc from 'fast-check'
import { outsideProblems } from '../../indices/index-range.js'
import { listed, listedError, selectIndices } from '../../indices/index-selection.js'
import { refused } from '../refused.js'

describe('selection of indices', () => {
  it('merges all parameters, without duplicates, in ascending order', () => {
    assert.deepEqual(
      selectIndices({ index: 9, indices: [2, 1, 2], indexRangeStart: 3, indexRangeEnd: 5 }, 10),
      [1, 2, 3, 4, 5, 9],
    )
    assert.deepEqual(selectIndices({ index: 0 }, 1), [0])
    assert.deepEqual(selectIndices({ indexRangeStart: 0, indexRangeEnd: 0 }, 1), [0])
    const index = fc.nat(300)
    fc.assert(
      fc.property(
        index,
        fc.array(index, { minLength: 1 }),
        index,
        fc.nat(99),
        (one, indices, start, more) => {
          const end = start + more
          const selected = selectIndices(
            { index: one, indices, indexRangeStart: start, indexRangeEnd: end },
            1000,
          )
          const range = Array.from({ length: more + 1 }, (_, n) => start + n)
          assert.deepEqual(
            selected,
            [...new Set([one, ...indices, ...range])].sort((a, b) => a - b),
          )
        },
      ),
    )
  })

  it('counts distinct indices, not those sent', () => {
    assert.equal(
      selectIndices({ index: 1, indices: [1, 2], indexRangeStart: 1, indexRangeEnd: 2 }, 2).length,
      2,
    )
  })

  const bad: [string, Parameters<typeof selectIndices>[0], path: string][] = [
    ['nothing', {}, 'index'],
    ['an empty list', { indices: [] }, 'indices'],
    ['an empty list beside an index', { index: 1, indices: [] }, 'indices'],
    ['half a range', { indexRangeStart: 1 }, 'indexRangeEnd'],
    ['the other half', { indexRangeEnd: 1 }, 'indexRangeStart'],
    ['half a range beside an index', { index: 1, indexRangeEnd: 1 }, 'indexRangeStart'],
    ['a reversed range', { indexRangeStart: 2, indexRangeEnd: 1 }, 'indexRangeEnd'],
    ['an overlong list', { indices: Array.from({ length: 11 }, () => 1) }, 'indices'],
    ['an overlong range', { indexRangeStart: 0, indexRangeEnd: 10 }, 'indexRangeEnd'],
    ['a huge range', { indexRangeStart: 0, indexRangeEnd: Number.MAX_SAFE_INTEGER }, 'indexRangeEnd'],
    ['too many indices in total', { indices: [20, 21], indexRangeStart: 0, indexRangeEnd: 9 }, 'indices'],
  ]
  for (const [title, selection, path] of bad) {
    it(`refuses ${title}`, () => refused(() => selectIndices(selection, 10), { code: 'invalid_input', path }))
  }

  it('locates indices outside the list in the parameters', () => {
    const selection = { index: 8, indices: [7, 8, 0, 9], indexRangeStart: 7, indexRangeEnd: 8 }
    assert.deepEqual(
      outsideProblems(selection, 8).map(({ path, message }) => [path, message]),
      [
        ['index', '8 is outside the list (0 to 7)'],
        ['indices[1]', '8 is outside the list (0 to 7)'],
        ['indices[3]', '9 is outside the list (0 to 7)'],
        ['indexRangeEnd', '8 is outside the list (0 to 7)'],
      ],
    )
  })

  it('lists a limited number of problems', () => {
    const problems = Array.from({ length: 1000 }, (_, n) => ({ path: `indices[${n}]`, message: 'x' }))
    assert.equal(listed(problems).length, 21)
    assert.deepEqual(listed(problems).at(-1), { path: 'indices', message: '980 more of the same kind' })
    assert.deepEqual(listed(problems.slice(0, 20)), problems.slice(0, 20))
  })

  it('counts all problems, however few are listed', () => {
    const indices = Array.from({ length: 1000 }, (_, n) => n + 8)
    const outside = outsideProblems({ indices }, 8)
    assert.equal(outside.length, 1000)
    const { message, details, code } = listedError('index_out_of_range', outside)
    assert.equal(code, 'index_out_of_range')
    assert.equal(message, 'indices[0]: 8 is outside the list (0 to 7) (and 999 more)')
    assert.equal(details.length, 21)
    assert.equal(listedError('index_out_of_range', outside.slice(0, 2)).details.length, 2)
  })
})
