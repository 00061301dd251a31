import assert from 'node:assert/strict'
import fc from 'fast-check'
import { markFormulas, withoutFormulaMarks } from '../formula-marks.js'

/** The cells that a spreadsheet sees, whichever of these it separates by. */
const cellsOf = (text: string) => [
  text,
  ...[/;/, /\t/, /[\r\n]/, /[;\t\r\n]/].flatMap((by) => text.split(by)),
]

const text = fc.string({ unit: fc.constantFrom(...'=+-@＝;\t\r\n\'" a1,'), maxLength: 12 })

describe('marks of formulas', () => {
  it('leave no cell that begins with a formula, whatever a spreadsheet separates by', () => {
    fc.assert(
      fc.property(text, (cell) => {
        for (const seen of cellsOf(markFormulas(cell))) assert.doesNotMatch(seen, /^["\s]*[=+\-@＝]/, seen)
      }),
    )
  })

  it('can be taken off again', () => {
    fc.assert(fc.property(text, (cell) => assert.equal(withoutFormulaMarks(markFormulas(cell)), cell)))
  })

  it('are only before formulas', () => {
    for (const harmless of [
      "it's; so",
      'a=1',
      'a - b',
      '2026-01-31T00:00:00Z',
      'did:key:z6Mk',
      "'quoted'",
      '',
    ]) {
      assert.equal(markFormulas(harmless), harmless)
      assert.equal(withoutFormulaMarks(harmless), harmless)
    }
    assert.equal(markFormulas('a;=1+1'), "a;'=1+1")
    assert.equal(markFormulas('a\n@x'), "a\n'@x")
    assert.equal(withoutFormulaMarks("'=1+1"), '=1+1')
  })
})
