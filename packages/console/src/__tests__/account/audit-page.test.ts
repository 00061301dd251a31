import assert from 'node:assert/strict'
import { isFull, MOST_EXPORTED } from '../../account/audit-page.js'

describe('the exported audit trail', () => {
  it('is full if it has as many entries as the service exports', () => {
    const file = (entries: number) =>
      ['time,event', ...Array<string>(entries).fill('x,"a\nb"'), ''].join('\r\n')
    assert.equal(isFull(file(MOST_EXPORTED)), true)
    assert.equal(isFull(file(MOST_EXPORTED - 1)), false)
    assert.equal(isFull(file(0)), false)
  })
})
