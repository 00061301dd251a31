import assert from 'node:assert/strict'
import { Readiness } from '../../health/readiness.js'

describe('Readiness', () => {
  const DATABASE = [{ name: 'database', ok: true, message: 'embedded' }]
  const AWAY = [{ name: 'database', ok: false }]
  let now: number
  let looks: number
  let results: (typeof DATABASE | typeof AWAY | Promise<typeof DATABASE>)[]
  /** Each look takes the next of the results; the last one stays. */
  const open = (patienceMs?: number) => {
    const readiness = new Readiness(() => now, patienceMs)
    readiness.useChecks(() => {
      looks += 1
      return Promise.resolve((results.length > 1 ? results.shift() : results[0]) ?? [])
    })
    return readiness
  }
  const isReady = async (readiness: Readiness) => (await readiness.report()).ready
  beforeEach(() => {
    now = 0
    looks = 0
    results = [DATABASE]
  })

  it('shares a running check with all callers, however long it takes', async () => {
    const { promise, resolve } = pending()
    results = [promise, AWAY]
    const readiness = open()
    const first = readiness.report()
    now = 4999
    const second = readiness.report()
    now = 60_000
    const third = readiness.report()
    resolve(DATABASE)
    assert.deepEqual((await first).checks, DATABASE)
    assert.equal(await second, await first)
    assert.equal(await third, await first)
    assert.equal(looks, 1)
    // It began long ago: the next caller gets a new check.
    assert.deepEqual((await readiness.report()).checks, AWAY)
  })

  it('serves a good result for five seconds from its start, and no longer', async () => {
    results = [DATABASE, AWAY]
    const readiness = open()
    assert.equal(await isReady(readiness), true)
    now = 4999
    assert.deepEqual((await readiness.report()).checks, DATABASE)
    assert.equal(looks, 1)
    now = 5000
    assert.deepEqual((await readiness.report()).checks, AWAY)
    assert.equal(looks, 2)
  })

  it('is not ready after two failed checks in a row, and recovers with the next success', async () => {
    results = [DATABASE, AWAY, DATABASE, AWAY, AWAY, DATABASE]
    const readiness = open()
    const seen: boolean[] = []
    for (now = 0; now < 6 * 5000; now += 5000) seen.push(await isReady(readiness))
    assert.deepEqual(seen, [true, true, true, true, false, true])
    assert.equal(looks, 6)
  })

  it('serves a failed result for one second only', async () => {
    results = [DATABASE, AWAY, AWAY, DATABASE]
    const readiness = open()
    await readiness.report()
    const seen: boolean[] = []
    for (now = 5000; now <= 7000; now += 500) seen.push(await isReady(readiness))
    assert.deepEqual(seen, [true, true, false, false, true])
    assert.equal(looks, 4)
  })

  it('is not ready before the first successful check', async () => {
    results = [AWAY, DATABASE]
    const readiness = open()
    assert.equal(await isReady(readiness), false)
    now = 1000
    assert.equal(await isReady(readiness), true)
  })

  it('joins late checks instead of restarting them, and uses their results', async () => {
    const { promise, resolve } = pending()
    results = [DATABASE, promise]
    const readiness = open(1)
    await readiness.report()
    now = 5000
    const late = await readiness.report()
    assert.deepEqual(
      [late.ready, late.checks],
      [true, [{ name: 'checks', ok: false, message: 'did not answer within 1 ms' }]],
    )
    now = 6000
    assert.equal(await isReady(readiness), false)
    assert.equal(looks, 2)
    now = 7000
    const third = readiness.report()
    resolve(DATABASE)
    assert.equal((await third).ready, true)
    assert.equal(looks, 2)
  })

  it('fails for callers that joined a check before the stop', async () => {
    const { promise, resolve } = pending()
    results = [promise]
    const readiness = open()
    const asked = readiness.report()
    readiness.stop()
    resolve(DATABASE)
    assert.deepEqual(await asked, { ready: false, state: 'stopping', durationMs: 0, checks: [] })
  })

  it('fails from the stop onwards, whatever was found before', async () => {
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

function pending() {
  let resolve: (value: { name: string; ok: boolean; message: string }[]) => void = () => undefined
  const promise = new Promise<{ name: string; ok: boolean; message: string }[]>(
    (settle) => (resolve = settle),
  )
  return { promise, resolve }
}
