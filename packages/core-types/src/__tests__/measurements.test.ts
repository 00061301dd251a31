import assert from 'node:assert/strict'
import fc from 'fast-check'
import { askedGauge, BEYOND, Counter, gauge, Histogram } from '../measurements.js'

const form = { name: 'test_total', help: 'A test' }

describe('Counter', () => {
  it('counts by label, and shows known label sets from the start', async () => {
    const counter = new Counter({ ...form, labels: ['cache', 'result'] }, [['list', 'hit']])
    counter.add(2, 'list', 'miss')
    counter.add(3, 'list', 'miss')
    assert.deepEqual(await counter.read(), [
      { labels: { cache: 'list', result: 'hit' }, value: 0 },
      { labels: { cache: 'list', result: 'miss' }, value: 5 },
    ])
    assert.deepEqual(await new Counter(form).read(), [{ labels: {}, value: 0 }])
  })

  it('refuses a wrong number of labels', () => {
    const counter = new Counter({ ...form, labels: ['result'] })
    assert.throws(() => counter.add(1), /test_total takes 1 labels, not 0/)
    assert.throws(() => counter.add(1, 'a', 'b'), /test_total takes 1 labels, not 2/)
  })

  it('counts everything but keeps at most a thousand label sets', async () => {
    const counter = new Counter({ ...form, labels: ['what', 'where'] })
    for (let n = 0; n < 5000; n += 1) counter.add(1, `label-${n}`, 'here')
    const samples = await counter.read()
    assert.equal(samples.length, 1001)
    assert.equal(
      samples.reduce((sum, { value }) => sum + value, 0),
      5000,
    )
    assert.deepEqual(samples.at(-1), { labels: { what: BEYOND, where: BEYOND }, value: 4000 })
    counter.add(1, 'label-3', 'here')
    assert.equal((await counter.read())[3]?.value, 2)
  })
})

describe('Histogram', () => {
  const buckets = [1, 5, 10]
  const counts = async (histogram: Histogram, which?: string) =>
    (await histogram.read())
      .filter(({ labels }) => labels.which === which)
      .map(({ labels, value, metricName }) => [metricName, labels.le, value])

  it('counts each value in every bucket up to and including its bound', async () => {
    const histogram = new Histogram({ ...form, buckets })
    for (const value of [0, 1, 1.5, 5, 10, 10.1, 99]) histogram.observe(value)
    assert.deepEqual(await counts(histogram), [
      ['test_total_bucket', 1, 2],
      ['test_total_bucket', 5, 4],
      ['test_total_bucket', 10, 5],
      ['test_total_bucket', '+Inf', 7],
      ['test_total_sum', undefined, 126.6],
      ['test_total_count', undefined, 7],
    ])
  })

  it('loses no observation', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(20), fc.constantFrom('a', 'b'))), async (values) => {
        const histogram = new Histogram({ ...form, labels: ['which'], buckets })
        for (const [value, label] of values) histogram.observe(value, label)
        for (const label of new Set(values.map(([, which]) => which))) {
          const own = values.filter(([, which]) => which === label).map(([value]) => value)
          assert.deepEqual(
            (await counts(histogram, label)).map(([, , value]) => value),
            [
              ...[1, 5, 10, Infinity].map((bound) => own.filter((value) => value <= bound).length),
              own.reduce((sum, value) => sum + value, 0),
              own.length,
            ],
          )
        }
      }),
    )
  })

  it('keeps at most a thousand label sets', async () => {
    const histogram = new Histogram({ ...form, labels: ['which'], buckets })
    for (let n = 0; n < 1500; n += 1) histogram.observe(1, `label-${n}`)
    assert.deepEqual((await counts(histogram, BEYOND)).at(-1), ['test_total_count', undefined, 500])
    assert.throws(() => histogram.observe(1), /test_total takes 1 labels, not 0/)
  })
})

describe('gauges', () => {
  it('hold one number, or one per label set, known or queried', async () => {
    assert.deepEqual(await gauge(form, () => 3).read(), [{ labels: {}, value: 3 }])
    assert.deepEqual(await gauge(form, () => []).read(), [])
    let found = [{ labels: ['a'], value: 1 }]
    const asked = askedGauge({ ...form, labels: ['which'] }, () => Promise.resolve(found))
    assert.equal(asked.asks, true)
    assert.deepEqual(await asked.read(), [{ labels: { which: 'a' }, value: 1 }])
    found = [{ labels: ['b'], value: 2 }]
    assert.deepEqual(await asked.read(), [{ labels: { which: 'b' }, value: 2 }])
    await assert.rejects(async () => askedGauge(form, () => Promise.reject(new Error('away'))).read(), /away/)
  })
})
