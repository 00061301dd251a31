import assert from 'node:assert/strict'
import fc from 'fast-check'
import { isAgentError } from '@vidimus/core-types'
import { idempotencyKeyOf } from '../../idempotency/idempotency-key.js'

const read = (header?: string) => idempotencyKeyOf(header === undefined ? {} : { 'idempotency-key': header })
const refused = (error: unknown) =>
  isAgentError(error) && error.code === 'invalid_input' && error.details[0]?.path === 'idempotency-key'

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 255,
})

describe('idempotency key of a request', () => {
  it('may be omitted', () => assert.equal(read(), undefined))

  it('is any text of visible characters that does not begin with a quote', () => {
    fc.assert(
      fc.property(visible, (key) => {
        fc.pre(!key.startsWith('"'))
        assert.equal(read(key), key)
      }),
    )
  })

  it('is the content of a structured field string', () => {
    fc.assert(
      fc.property(visible, (key) => {
        assert.equal(read(`"${key.replace(/[\\"]/g, '\\$&')}"`), key)
      }),
    )
  })

  it('cannot be anything else', () => {
    const long = 'x'.repeat(256)
    for (const header of [
      '',
      ' ',
      'a b',
      'a, b',
      'ä',
      'a\tb',
      long,
      `"${long}"`,
      '"',
      '""',
      '"a',
      '"a"b',
      '"a\\b"',
    ]) {
      assert.throws(() => read(header), refused, header)
    }
  })
})
