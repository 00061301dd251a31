import assert from 'node:assert/strict'
import { hasRoomForAll, isEnough, processShare } from '../postgres-share.js'

describe("a process's share of server connections", () => {
  it('is the configured number if there is room, and otherwise an equal part', () => {
    const share = (room: number, processes: number, others = 0) =>
      processShare({ room, others, processes }, 20)
    assert.equal(share(97, 1), 20)
    assert.equal(share(97, 3), 20)
    assert.equal(share(97, 4), 18)
    assert.equal(share(97, 4, 40), 10)
    assert.equal(share(17, 1), 7)
    assert.equal(share(17, 4), 2)
    assert.equal(share(5, 4), 2, 'one to read and one to write')
  })

  it('gives four processes and an additional command enough of 17', () => {
    const room = { room: 17, others: 0, processes: 5 }
    const inUse = 4 * (processShare(room, 20) + 1)
    assert.ok(inUse + 1 + processShare(room, 20) <= 17)
  })

  it('is checked against what all processes could open', () => {
    const room = { room: 97, others: 0, processes: 4 }
    assert.equal(hasRoomForAll(room, 20), true)
    assert.equal(hasRoomForAll(room, 24), false)
    assert.equal(hasRoomForAll({ ...room, others: 14 }, 20), false)
    assert.equal(isEnough({ room: 17, others: 0, processes: 4 }), true)
    assert.equal(isEnough({ room: 17, others: 0, processes: 5 }), false)
  })
})
