import assert from 'node:assert/strict'
import {
  currentCaller,
  currentRequest,
  readLog,
  RepeatedPasses,
  runInAccountScope,
  runInRequest,
  type LogLine,
} from '../index.js'

describe('repeated passes', () => {
  it('do not inherit the account, API key or request of the caller that triggers the next pass', async () => {
    const passes = new RepeatedPasses({ work: 'a test', pauseMs: 60, soonMs: 1 })
    const account = {
      id: 'a',
      name: 'acme',
      createdAt: '',
      grant: { id: 'k', networks: ['testnet' as const] },
    }
    const seen = await new Promise<unknown[]>((resolve) => {
      passes.begin(() => {
        resolve([currentCaller(), currentRequest()])
        return Promise.resolve(true)
      })
      runInRequest({ requestId: 'r' }, () => runInAccountScope(account, () => passes.soon()))
    })
    await passes.stop()
    assert.deepEqual(seen, [undefined, undefined])
  })

  it('continue after a failure, which is logged once until a pass succeeds', async () => {
    const lines: LogLine[] = []
    const stopReading = readLog((line) => void lines.push(line))
    const passes = new RepeatedPasses({ work: 'a test', pauseMs: 1 })
    const failures = [true, true, false, true]
    await new Promise<void>((resolve) => {
      passes.begin(async () => {
        const fails = failures.shift()
        if (fails === undefined) resolve()
        if (fails) throw new Error('no')
      }, 'now')
    })
    await passes.stop()
    stopReading()
    assert.deepEqual(
      lines.map(({ level, fields }) => [level, fields.work]),
      [
        ['warn', 'a test'],
        ['warn', 'a test'],
      ],
    )
    assert.equal(passes.isFailing, false)
  })

  it('run one at a time, and once more if requested in the meantime', async () => {
    const passes = new RepeatedPasses({ work: 'a test', pauseMs: 3_600_000, soonMs: 1 })
    let [underWay, made] = [0, 0]
    await new Promise<void>((resolve) => {
      passes.begin(async () => {
        assert.equal(++underWay, 1)
        if (++made === 2) resolve()
        else passes.soon()
        await new Promise((done) => setTimeout(done, 20))
        underWay -= 1
      }, 'now')
    })
    await passes.stop()
    assert.equal(made, 2)
  })
})
