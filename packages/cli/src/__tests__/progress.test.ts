import assert from 'node:assert/strict'
import { ProgressLine } from '../progress.js'

describe('progress', () => {
  const shown = (isTTY: boolean, steps: readonly [at: number, done: number][], total: number) => {
    const written: string[] = []
    let now = 0
    const line = new ProgressLine({ isTTY, write: (text) => written.push(text) }, () => now)
    for (const [at, done] of steps) {
      now = at
      line.show({ subject: 'private keys', done, total })
    }
    line.end()
    return written
  }

  it('is a single, rewritten line on a terminal', () => {
    assert.deepEqual(
      shown(
        true,
        [
          [10, 1],
          [1000, 500],
          [1010, 505],
          [2000, 1000],
        ],
        1000,
      ),
      [
        '\r[##########..........]  50 %  private keys: 500 of 1000, 500 per second, 1 s left',
        `\r${'[####################] 100 %  private keys: 1000 of 1000, 500 per second'.padEnd(81)}`,
        '\n',
      ],
    )
  })

  it('is an occasional plain line elsewhere', () => {
    assert.deepEqual(
      shown(
        false,
        [
          [1000, 10],
          [6000, 60],
          [7000, 70],
          [20_000, 100],
        ],
        100,
      ),
      ['private keys: 60 of 100, 10 per second, 4 s left\n', 'private keys: 100 of 100, 5 per second\n'],
    )
  })

  it('prints nothing if nothing was done', () => {
    assert.deepEqual(shown(true, [], 0), [])
    assert.deepEqual(shown(false, [], 0), [])
  })
})
