import assert from 'node:assert/strict'
import { Readiness } from '../readiness.js'

describe('Readiness', () => {
  it('looks once for all who ask within a second', async () => {
    let now = 0
    let looks = 0
    const readiness = new Readiness(() => now)
    readiness.useChecks(() => {
      looks += 1
      return Promise.resolve([{ name: 'database', ok: looks === 1, message: 'embedded' }])
    })
    const [first, second] = await Promise.all([readiness.report(), readiness.report()])
    assert.deepEqual(first, second)
    assert.deepEqual(first.checks, [{ name: 'database', ok: true, message: 'embedded' }])
    now = 999
    assert.equal((await readiness.report()).ready, true)
    now = 1000
    assert.equal((await readiness.report()).ready, false)
    assert.equal(looks, 2)
  })

  it('fails from the moment of the stop on, whatever was found before', async () => {
    const readiness = new Readiness()
    readiness.useChecks(() => Promise.resolve([]))
    assert.equal((await readiness.report()).ready, true)
    readiness.stop()
    assert.deepEqual(await readiness.report(), { ready: false, state: 'stopping', durationMs: 0, checks: [] })
  })

  it('does not repeat what a failing check throws', async () => {
    const readiness = new Readiness()
    readiness.useChecks(() => Promise.reject(new Error('postgres://user:secret@host')))
    const report = await readiness.report()
    assert.equal(report.ready, false)
    assert.doesNotMatch(JSON.stringify(report), /secret/)
  })
})
