import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { channel } from 'node:diagnostics_channel'
import { setImmediate } from 'node:timers/promises'
import { currentCaller, runInAccountScope } from '../account.js'
import {
  currentRequest,
  forThisRequest,
  inSpan,
  outsideOfRequests,
  runInRequest,
  type Span,
} from '../request-scope.js'
import { log, readLog, type LogLine } from '../service-log.js'

/** Records what happens to it. */
class RecordedSpan implements Span {
  readonly traceId = 'ab'.repeat(16)
  readonly headers = {}
  readonly children: RecordedSpan[] = []
  ended: unknown[] = []

  constructor(readonly name: string) {}

  begin(name: string): Span {
    const child = new RecordedSpan(name)
    this.children.push(child)
    return child
  }

  describe(): void {
    // nothing is described here
  }

  end(failure?: unknown): void {
    this.ended.push(failure)
  }
}

describe('request scope', () => {
  it('can be left together with the account, its API key and every other scope', () => {
    const account = { id: 'a', name: 'acme', createdAt: '', grant: { id: 'k', scopes: ['read'] } }
    const other = new AsyncLocalStorage<string>()
    const seen = () => [currentCaller(), currentRequest(), other.getStore()]
    runInAccountScope(account, () =>
      other.run('unit', () =>
        runInRequest({ requestId: 'r' }, () => {
          assert.deepEqual(outsideOfRequests(seen), [undefined, undefined, undefined])
          const mine = forThisRequest(seen)
          assert.deepEqual(outsideOfRequests(mine), seen())
        }),
      ),
    )
  })

  it('reaches everything that is awaited and nothing else', async () => {
    const seen = await Promise.all(
      ['one', 'two'].map((requestId) =>
        runInRequest({ requestId }, async () => {
          await setImmediate()
          return currentRequest()?.requestId
        }),
      ),
    )
    assert.deepEqual(seen, ['one', 'two'])
    assert.equal(currentRequest(), undefined)
  })

  it('can be left and re-entered', () => {
    const ask = () => currentRequest()?.requestId
    const [inside, outside, later] = runInRequest({ requestId: 'one' }, () => [
      ask(),
      outsideOfRequests(ask),
      forThisRequest(ask),
    ])
    assert.deepEqual([inside, outside], ['one', undefined])
    assert.ok(typeof later === 'function')
    assert.equal(
      runInRequest({ requestId: 'two' }, () => later()),
      'one',
    )
  })

  it('has nested spans that end with their work', async () => {
    const root = new RecordedSpan('request')
    const failure = new Error('no')
    await runInRequest({ requestId: 'one', span: root }, async () => {
      await inSpan('outer', undefined, () => inSpan('inner', undefined, () => setImmediate()))
      await assert.rejects(
        inSpan('failing', undefined, () => Promise.reject(failure)),
        failure,
      )
      await assert.rejects(
        inSpan('throwing', undefined, () => {
          throw failure
        }),
        failure,
      )
    })
    const shape = ({ name, ended, children }: RecordedSpan): unknown => [name, ended, children.map(shape)]
    assert.deepEqual(shape(root), [
      'request',
      [],
      [
        ['outer', [undefined], [['inner', [undefined], []]]],
        ['failing', [failure], []],
        ['throwing', [failure], []],
      ],
    ])
  })

  it('creates no span without tracing', async () => {
    const work = () => Promise.resolve(currentRequest())
    await runInRequest({ requestId: 'one' }, async () => {
      assert.equal(await inSpan('step', undefined, work), currentRequest())
    })
    assert.equal(await inSpan('step', undefined, work), undefined)
  })
})

describe('log', () => {
  it('calls its readers with the line and its request until they unsubscribe', () => {
    const lines: LogLine[] = []
    // Others in this process may read it as well.
    const isReadByOthers = channel('vidimus:log').hasSubscribers
    assert.equal(log('warn', 'before'), isReadByOthers)
    const stop = readLog((line) => lines.push(line))
    const failure = new Error('no')
    assert.equal(log('warn', 'outside', { n: 1 }, failure), true)
    const span = new RecordedSpan('request')
    runInRequest({ requestId: 'one', span }, () => log('debug', 'inside'))
    stop()
    assert.equal(log('warn', 'after'), isReadByOthers)
    assert.deepEqual(lines, [
      { level: 'warn', message: 'outside', fields: { n: 1 }, error: failure },
      { level: 'debug', message: 'inside', fields: {}, requestId: 'one', traceId: span.traceId },
    ])
  })
})
