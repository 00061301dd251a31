import assert from 'node:assert/strict'
import fc from 'fast-check'
import { BOUNDS } from '../bounds.js'
import { parseForeignJson } from '../foreign-json.js'

const nested = (levels: number, open = '[', close = ']') => open.repeat(levels) + '1' + close.repeat(levels)

describe('JSON from outside', () => {
  it('is parsed like any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        assert.deepEqual(parseForeignJson(text), JSON.parse(text))
      }),
    )
    for (const text of ['', '{', '"', '"\\', '[1,]', 'nothing', '}{']) {
      assert.throws(() => parseForeignJson(text), SyntaxError, text)
    }
  })

  it('is refused beyond the maximum depth', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      parseForeignJson(nested(BOUNDS.jsonLevels, open, close))
      for (const levels of [BOUNDS.jsonLevels + 1, 100_000]) {
        assert.throws(() => parseForeignJson(nested(levels, open, close)), /levels/)
      }
    }
    const wide = `[${Array.from({ length: 1000 }, () => nested(BOUNDS.jsonLevels - 1)).join()}]`
    assert.equal((parseForeignJson(wide) as unknown[]).length, 1000)
  })

  it('may contain any number of brackets in strings', () => {
    const strings = [
      '['.repeat(1000),
      '\\"[{'.repeat(1000),
      '\\'.repeat(1001),
      '"'.repeat(1000),
      'x'.repeat(10_000_000),
    ]
    assert.deepEqual(parseForeignJson(JSON.stringify(strings)), strings)
    assert.throws(() => parseForeignJson(`["\\\\",${nested(BOUNDS.jsonLevels)}]`), /levels/)
  })
})
