import assert from 'node:assert/strict'
import { ConcurrentRequests } from '../../admission/concurrent-requests.js'

describe('ConcurrentRequests', () => {
  it('are stuck after half a minute without room and without an end', async () => {
    let now = 1000
    const requests = new ConcurrentRequests(2, 3, () => now)
    const ends: (() => void)[] = []
    const begin = () => requests.during('acme', () => new Promise<void>((resolve) => ends.push(resolve)))
    const first = begin()
    now += 60_000
    assert.equal(requests.isStuck, false, 'there is room')
    const second = begin()
    now += 29_999
    assert.deepEqual(requests.check(), { name: 'requests', ok: true })
    now += 1
    assert.equal(requests.isStuck, true)
    const message = '2 in progress, none completed for 30 s'
    assert.deepEqual(requests.check(), { name: 'requests', ok: false, message })
    await assert.rejects(begin(), /too many (concurrent )?requests/)
    ends.shift()?.()
    await first
    const third = begin()
    assert.equal(requests.isStuck, false, 'one has ended')
    now += 29_999
    assert.equal(requests.isStuck, false)
    for (const end of ends) end()
    await Promise.all([second, third])
    assert.equal(requests.count, 0)
  })
})
