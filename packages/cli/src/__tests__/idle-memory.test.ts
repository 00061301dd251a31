import assert from 'node:assert/strict'
import { QuietBeats, releaseMemory, type ProcessUse } from '../idle-memory.js'

const MEBIBYTE = 1_048_576

describe('memory of an idle process', () => {
  const use = (processorMs: number, mebibytes: number): ProcessUse => ({
    processorMs,
    heapBytes: mebibytes * MEBIBYTE,
  })

  it('is released after the first beat without work', () => {
    const beats = new QuietBeats(1000)
    const seen = [use(1500, 90), use(2000, 90), use(2005, 90)].map((one) => beats.isTimeToRelease(one))
    assert.deepEqual(seen, [false, false, true])
  })

  it('is released again only if there is garbage that is worth it', () => {
    const beats = new QuietBeats(1000)
    beats.isTimeToRelease(use(1500, 90))
    beats.released(use(1700, 55))
    assert.equal(beats.isTimeToRelease(use(1705, 86)), false)
    assert.equal(beats.isTimeToRelease(use(1710, 87)), true)
  })

  it('is not touched while requests are processed, however much garbage there is', () => {
    const beats = new QuietBeats(1000)
    beats.released(use(1000, 50))
    const busy = Array.from({ length: 10 }, (_, n) => use(1020 + 20 * n, 300))
    assert.deepEqual(
      busy.filter((one) => beats.isTimeToRelease(one)),
      [],
    )
  })

  it('does not count a collection as work', () => {
    const beats = new QuietBeats(1000)
    beats.isTimeToRelease(use(1000, 90))
    beats.released(use(1300, 50))
    assert.equal(beats.isTimeToRelease(use(1301, 90)), true)
  })

  it('goes back to the system', async () => {
    const heap = () => process.memoryUsage().heapTotal
    /** The heap while it has much that nobody needs afterwards. */
    const filled = () => {
      const objects = Array.from({ length: 1_000_000 }, (_, n) => ({ n, list: [n] }))
      return objects.length > 0 ? heap() : 0
    }
    await releaseMemory()
    const before = heap()
    const most = filled()
    assert.ok(most - before > 50 * MEBIBYTE)
    await releaseMemory()
    assert.ok(heap() < (before + most) / 2)
  })
})
