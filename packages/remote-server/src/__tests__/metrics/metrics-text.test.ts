import assert from 'node:assert/strict'
import {
  askedGauge,
  Counter,
  gauge,
  Histogram,
  readLog,
  type LogLine,
  type Measurement,
} from '@vidimus/core-types'
import fc from 'fast-check'
import { parseMetrics, valueOf } from '../../../../../test/support/prometheus-text.js'
import { MetricsText } from '../../metrics/metrics-text.js'

const textOf = (...measurements: Measurement[]) =>
  new MetricsText(
    () => measurements,
    () => Promise.resolve([]),
  ).write()

const UNREADABLE = 'vidimus_metrics_unreadable_total'

describe('metrics text', () => {
  it('can be parsed back, whatever labels and help contain', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1 }),
        fc.uniqueArray(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }),
        fc.double({ noNaN: true }),
        async (help, labels, value) => {
          const samples = labels.map((label) => ({ labels: [label], value }))
          // Other line separators do not end a line: only a line feed does.
          const metrics = parseMetrics(await textOf(gauge({ name: 'x', help, labels: ['y'] }, () => samples)))
          assert.deepEqual(
            metrics.get('x')?.samples,
            samples.map(({ labels: [y] }) => ({ name: 'x', labels: { y }, value: value === 0 ? 0 : value })),
          )
        },
      ),
      { examples: [['a\\b\n"c"', ['\n', '"', '\\', '\\n', 'x="1",y="2"}'], 1.5e-7]] },
    )
  })

  it('contains consistent histograms', async () => {
    const histogram = new Histogram({ name: 'x_seconds', help: 'X', labels: ['y'], buckets: [0.5, 1, 2] })
    for (const value of [0.1, 0.5, 0.7, 3]) histogram.observe(value, 'a')
    const metrics = parseMetrics(await textOf(histogram))
    const bucket = (le: string) => valueOf(metrics, 'x_seconds_bucket', { y: 'a', le })
    assert.deepEqual(['0.5', '1', '2', '+Inf'].map(bucket), [2, 3, 3, 4])
    assert.equal(valueOf(metrics, 'x_seconds_count'), 4)
    assert.equal(valueOf(metrics, 'x_seconds_sum'), 4.3)
  })

  it('sums the same metric of several objects', async () => {
    const form = { name: 'x_total', help: 'X', labels: ['network'] }
    const [first, second] = [new Counter(form), new Counter(form)]
    first.add(1, 'testnet')
    second.add(2, 'mainnet')
    second.add(4, 'testnet')
    const seconds = { name: 'x_seconds', help: 'X', buckets: [1] }
    const [quick, slow] = [new Histogram(seconds), new Histogram(seconds)]
    quick.observe(0.5)
    slow.observe(5)
    const metrics = parseMetrics(await textOf(first, quick, second, slow))
    assert.deepEqual(
      metrics.get('x_total')?.samples.map(({ labels, value }) => [labels.network, value]),
      [
        ['testnet', 5],
        ['mainnet', 2],
      ],
    )
    assert.equal(valueOf(metrics, 'x_seconds_bucket', { le: '1' }), 1)
    assert.equal(valueOf(metrics, 'x_seconds_count'), 2)
  })

  it('omits unreadable metrics and counts them', async () => {
    const form = (name: string) => ({ name, help: 'X' })
    const metrics = parseMetrics(
      await textOf(
        gauge(form('fine'), () => 1),
        gauge(form('throws'), () => {
          throw new Error('no')
        }),
        askedGauge(form('rejects'), () => Promise.reject(new Error('no'))),
        gauge(form('misshapen'), () => [{ labels: ['one too many'], value: 1 }]),
        { kind: 'gauge', form: form('no_list'), read: () => undefined } as unknown as Measurement,
      ),
    )
    assert.deepEqual([...metrics.keys()], ['fine', UNREADABLE])
    assert.equal(valueOf(metrics, UNREADABLE), 4)
  })

  it('omits malformed values', async () => {
    const form = { name: 'x', help: 'X', labels: ['y'] }
    const value = { labels: { y: 'a' }, value: 1 }
    const wrong: unknown[] = [
      { ...value, labels: { z: 'a' } },
      { ...value, labels: { y: { toString: () => 'a"' } } },
      { ...value, labels: { y: undefined } },
      { ...value, value: '1' },
      { ...value, metricName: 'z' },
      null,
    ]
    for (const one of wrong) {
      const read = () => Promise.resolve([value, one])
      const text = await textOf({ kind: 'gauge', form, read } as unknown as Measurement)
      assert.deepEqual([...parseMetrics(text).keys()], [UNREADABLE], JSON.stringify(one))
    }
    const nothing = gauge(form, () => [{ labels: ['a'], value: NaN }])
    assert.deepEqual(parseMetrics(await textOf(nothing)).get('x')?.samples, [])
  })

  it('does not wait for slow metrics', async () => {
    const never = askedGauge({ name: 'never', help: 'X' }, () => new Promise<number>(() => undefined))
    const metrics = parseMetrics(await textOf(never, new Counter({ name: 'x_total', help: 'X' })))
    assert.deepEqual([...metrics.keys()], ['x_total', UNREADABLE])
  })

  it('reads queried metrics after all others', async () => {
    let working = 0
    const asking = askedGauge({ name: 'asked', help: 'X' }, async () => {
      working += 1
      return Promise.resolve(1)
    })
    const watching = gauge({ name: 'working', help: 'X' }, () => working)
    const metrics = parseMetrics(await textOf(asking, watching))
    assert.equal(valueOf(metrics, 'working'), 0)
    assert.equal(valueOf(metrics, 'asked'), 1)
  })

  it('omits and reports what Prometheus would reject', async () => {
    const lines: LogLine[] = []
    const stop = readLog((line) => lines.push(line))
    const read = () => Promise.resolve([{ labels: {}, value: 1 }])
    const wrong = [
      undefined,
      {},
      { kind: 'gauge', form: { name: 'a b', help: 'X' }, read },
      { kind: 'gauge', form: { name: 'x', help: 'X', labels: ['le'] }, read },
      { kind: 'summary', form: { name: 'x', help: 'X' }, read },
      { kind: 'gauge', form: { name: 'x' }, read },
      { kind: 'gauge', form: { name: 'process_open_fds', help: 'X' }, read },
      { kind: 'histogram', form: { name: 'x', help: 'X', buckets: [2, 1] }, read },
    ] as unknown as Measurement[]
    const fine = gauge({ name: 'x', help: 'X' }, () => 1)
    const metrics = parseMetrics(await textOf(...wrong, fine, new Counter({ name: 'x', help: 'X' })))
    stop()
    assert.deepEqual([...metrics.keys()], ['x', UNREADABLE])
    assert.equal(lines.length, wrong.length + 1)
    assert.ok(lines.every(({ level }) => level === 'warn'))
  })
})
