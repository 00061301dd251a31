import assert from 'node:assert/strict'
import { table } from '../table.js'

describe('a table on the command line', () => {
  it('aligns rows, and values cannot forge any', () => {
    const chosen = 'a\u001b[2J\r\nb\u009b1m\u2028c\u202ed\u{e0001}e\ud800'
    assert.equal(
      table(
        ['ID', 'NAME', 'STATE'],
        [
          ['1', chosen, 'valid'],
          ['2', 'plain ü', 'valid'],
        ],
      ),
      [
        'ID  NAME                STATE',
        '1   a?[2J??b?1m?c?d?e?  valid',
        '2   plain ü             valid',
      ].join('\n'),
    )
  })
})
