import assert from 'node:assert/strict'
import { durationSentence, isDuration, timeAfter } from '../duration.js'

const START = new Date('2024-01-31T12:00:00Z')

describe('durations', () => {
  for (const [duration, end] of [
    ['PT0S', '2024-01-31T12:00:00.000Z'],
    ['PT1H', '2024-01-31T13:00:00.000Z'],
    ['P1DT1H1M1S', '2024-02-01T13:01:01.000Z'],
    ['P2W', '2024-02-14T12:00:00.000Z'],
    ['P1M', '2024-02-29T12:00:00.000Z'],
    ['P1Y1M', '2025-02-28T12:00:00.000Z'],
    ['P7975Y', '9999-01-31T12:00:00.000Z'],
    ['P7976Y', undefined],
    ['P999999999Y', undefined],
    ['PT999999999H', undefined],
  ] as const) {
    it(`${duration} ends ${end ?? 'too late'}`, () => {
      assert.ok(isDuration(duration))
      assert.equal(timeAfter(START, duration)?.toISOString(), end)
    })
  }

  for (const [wrong, sentence] of [
    [3600, /3600 seconds are PT1H/],
    ['900', /900 seconds are PT15M/],
    [90, /90 seconds are PT90S/],
    [0, /0 seconds are PT0S/],
    [1.5, /such as PT15M/],
    ['1 hour', /such as PT15M/],
    ['P', /such as PT15M/],
    ['PT', /such as PT15M/],
    ['P1H', /such as PT15M/],
    ['P1DT', /such as PT15M/],
    ['-PT1H', /such as PT15M/],
    ['PT1.5H', /such as PT15M/],
    [null, /such as PT15M/],
    [undefined, /such as PT15M/],
  ] as const) {
    it(`refuses ${JSON.stringify(wrong)}`, () => {
      assert.ok(typeof wrong !== 'string' || !isDuration(wrong))
      assert.match(durationSentence(wrong), sentence)
    })
  }
})
