import assert from 'node:assert/strict'
import fc from 'fast-check'
import { readTime } from '../index.js'

const same = (text: string, iso: string) => assert.equal(readTime(text)?.toISOString(), iso, text)

describe('readTime', () => {
  for (const [layout, text, iso] of [
    ['RFC 3339', '2026-01-31T12:30:15Z', '2026-01-31T12:30:15.000Z'],
    ['RFC 3339 in lower case', '2026-01-31t12:30:15z', '2026-01-31T12:30:15.000Z'],
    ['RFC 3339 with nanoseconds', '2026-01-31T12:30:15.123456789Z', '2026-01-31T12:30:15.123Z'],
    ['RFC 3339 with an offset', '2026-01-31T12:30:15+01:30', '2026-01-31T11:00:15.000Z'],
    ['an offset whose plus became a space', '2026-01-31T12:30:15 01:30', '2026-01-31T11:00:15.000Z'],
    ['an offset to the west', '2026-01-31T22:30:15-05:00', '2026-02-01T03:30:15.000Z'],
    ['a date', '2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['a date and a time', '2026-01-31 12:30:15', '2026-01-31T12:30:15.000Z'],
    ['RFC 1123', 'Sat, 31 Jan 2026 12:30:15 GMT', '2026-01-31T12:30:15.000Z'],
    ['RFC 1123 with an offset', 'Sat, 31 Jan 2026 12:30:15 +0100', '2026-01-31T11:30:15.000Z'],
    ['RFC 850', 'Saturday, 31-Jan-26 12:30:15 GMT', '2026-01-31T12:30:15.000Z'],
    ['RFC 850 of the last century', 'Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37.000Z'],
    ['RFC 822', '31 Jan 26 12:30 EST', '2026-01-31T17:30:00.000Z'],
    ['RFC 822 with an offset', '31 Jan 26 12:30 -0700', '2026-01-31T19:30:00.000Z'],
    ['ANSI C', 'Tue Jan  6 12:30:15 2026', '2026-01-06T12:30:15.000Z'],
    ['Unix', 'Tue Jan  6 12:30:15 UTC 2026', '2026-01-06T12:30:15.000Z'],
    ['Ruby', 'Tue Jan 06 12:30:15 +0100 2026', '2026-01-06T11:30:15.000Z'],
  ] as const) {
    it(`reads ${layout}`, () => same(text, iso))
  }

  for (const text of [
    '',
    'yesterday',
    '2026',
    '1767225600',
    '2026-02-30',
    '2025-02-29T00:00:00Z',
    '2026-13-01',
    '2026-01-31T24:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-01-31T12:30:15',
    '2026-01-31T12:30:15+24:00',
    '2026-01-31T12:30:15.Z',
    '9999-12-31T23:59:59-14:00',
    'Fri, 31 Dec 9999 23:59:59 EST',
    '0000-01-01T00:00:00+14:00',
    ' 2026-01-31',
    '2026-01-31\n',
    'Sat, 31 Jan 2026 12:30:15 XYZ',
    `2026-01-31T12:30:15.${'1'.repeat(100)}Z`,
  ]) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(readTime(text), undefined))
  }

  it('reads what JavaScript writes', () => {
    const times = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(times, (time) => {
        same(time.toISOString(), time.toISOString())
        same(time.toUTCString(), `${time.toISOString().slice(0, 19)}.000Z`)
      }),
    )
  })

  it('returns a time or nothing for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d:TZ. +-]{0,40}$/)), (text) => {
        const time = readTime(text)
        assert.ok(time === undefined || !Number.isNaN(time.getTime()))
      }),
    )
  })
})
