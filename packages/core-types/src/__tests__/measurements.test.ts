import assert from 'node:assert/strict'
import fc from 'fast-check'
import { askedGauge, BEYOND, Counter, gauge, Histogram } from '../measurements.js'

const form = { name: 'test_total', help: 'A test' }

describe('Counter', () => {
  it('counts by its labels, and shows the known ones before', () => {
    const counter = new Counter({ ...form, labels: ['cache', 'result'] }, [['list', 'hit']])
    counter.add(2, 'list', 'miss')
    counter.add(3, 'list', 'miss')
    assert.deepEqual(counter.read(), [
      { labels: ['list', 'hit'], value: 0 },
      { labels: ['list', 'miss'], value: 5 },
    ])
    assert.deepEqual(new Counter(form).read(), [{ labels: [], value: 0 }])
  })

  it('refuses more or fewer labels than it has', () => {
    const counter = new Counter({ ...form, labels: ['result'] })
    assert.throws(() => counter.add(1), /test_total takes 1 labels, not 0/)
    assert.throws(() => counter.add(1, 'a', 'b'), /test_total takes 1 labels, not 2/)
  })

  it('counts everything, and keeps no more than a thousand sets of labels', () => {
    const counter = new Counter({ ...form, labels: ['what', 'where'] })
    for (let n = 0; n < 5000; n += 1) counter.add(1, `label-${n}`, 'here')
    const samples = counter.read()
    assert.equal(samples.length, 1001)
    assert.equal(
      samples.reduce((sum, { value }) => sum + value, 0),
      5000,
    )
    assert.deepEqual(samples.at(-1), { labels: [BEYOND, BEYOND], value: 4000 })
    counter.add(1, 'label-3', 'here')
    assert.equal(counter.read()[3]?.value, 2)
  })
})

describe('Histogram', () => {
  const buckets = [1, 5, 10]

  it('counts each value in the one bucket that takes it, its bound included', () => {
    const histogram = new Histogram({ ...form, buckets })
    for (const value of [0, 1, 1.5, 5, 10, 10.1, 99]) histogram.observe(value)
    assert.deepEqual(histogram.read(), [{ labels: [], counts: [2, 2, 1, 2], sum: 126.6 }])
  })

  it('loses no value', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(20), fc.constantFrom('a', 'b'))), (values) => {
        const histogram = new Histogram({ ...form, labels: ['which'], buckets })
        for (const [value, label] of values) histogram.observe(value, label)
        const read = histogram.read()
        for (const label of new Set(values.map(([, which]) => which))) {
          const own = values.filter(([, which]) => which === label).map(([value]) => value)
          const sample = read.find(({ labels }) => labels[0] === label)
          assert.deepEqual(sample?.counts, [
            own.filter((value) => value <= 1).length,
            own.filter((value) => value > 1 && value <= 5).length,
            own.filter((value) => value > 5 && value <= 10).length,
            own.filter((value) => value > 10).length,
          ])
          assert.equal(
            sample.sum,
            own.reduce((sum, value) => sum + value, 0),
          )
        }
      }),
    )
  })
})

describe('gauges', () => {
  it('are one number, or one for each set of labels, known or asked for', async () => {
    assert.deepEqual(gauge(form, () => 3).read(), [{ labels: [], value: 3 }])
    const asked = askedGauge(form, () => Promise.resolve([{ labels: ['a'], value: 1 }]))
    assert.equal(asked.asks, true)
    assert.deepEqual(await asked.read(), [{ labels: ['a'], value: 1 }])
    await assert.rejects(async () => askedGauge(form, () => Promise.reject(new Error('away'))).read(), /away/)
  })
})
