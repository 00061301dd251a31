import assert from 'node:assert/strict'
import fc from 'fast-check'
import { childPointer, isIndex, parsePointer, pointerAsPath } from '../json-pointer.js'

describe('JSON pointers', () => {
  // RFC 6901, section 5
  const examples: [string, string[]][] = [
    ['', []],
    ['/foo', ['foo']],
    ['/foo/0', ['foo', '0']],
    ['/', ['']],
    ['/a~1b', ['a/b']],
    ['/c%d', ['c%d']],
    ['/k"l', ['k"l']],
    ['/ ', [' ']],
    ['/m~0n', ['m~n']],
    ['/~01', ['~1']],
  ]
  for (const [pointer, steps] of examples) {
    it(`reads ${JSON.stringify(pointer)}`, () => assert.deepEqual(parsePointer(pointer), steps))
  }

  for (const text of ['foo', '#/foo', './foo', '/~2', '/~']) {
    it(`refuses ${text}`, () => assert.equal(parsePointer(text), undefined))
  }

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (steps) => {
        assert.deepEqual(parsePointer(steps.reduce(childPointer, '')), steps)
      }),
    )
  })

  it('displays pointers in readable form', () => {
    assert.equal(pointerAsPath('/server/$args/0/port'), 'server.$args[0].port')
    assert.equal(pointerAsPath(''), '')
  })

  it('recognises list indices', () => {
    assert.deepEqual(['0', '10', '01', '-1', '1.5', 'x', ''].map(isIndex), [
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})
