import assert from 'node:assert/strict'
import fc from 'fast-check'
import { BOUNDS, isAgentError } from '@vidimus/core-types'
import { CONTENT_ENCODINGS, readContent } from '../../operations/resource-create.js'

const ENCODINGS = fc.constantFrom(...CONTENT_ENCODINGS)

describe('resource content in a request', () => {
  it('yields the same bytes in every encoding', () => {
    const bytes = fc.oneof(fc.uint8Array({ minLength: 1 }), fc.string({ minLength: 1, unit: 'grapheme' }))
    fc.assert(
      fc.property(bytes, ENCODINGS, (content, encoding) => {
        const buffer = Buffer.from(content as Uint8Array)
        const isText =
          buffer.toString('utf8').length > 0 && Buffer.from(buffer.toString('utf8')).equals(buffer)
        if (encoding === 'utf-8' && !isText) return
        assert.equal(readContent(buffer.toString(encoding), encoding), buffer.toString('base64url'))
      }),
    )
  })

  it('is refused at its field if malformed', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'F', '0', '-', '+', '=', ' ', 'ä', '\u0000') })
    fc.assert(
      fc.property(text, ENCODINGS, (data, encoding) => {
        try {
          const read = Buffer.from(readContent(data, encoding), 'base64url').toString(encoding)
          assert.equal(read.replace(/=+$/, '').length, data.replace(/=+$/, '').length)
        } catch (error) {
          assert.ok(isAgentError(error), String(error))
          assert.equal(error.details[0]?.path, 'data')
        }
      }),
    )
  })

  it('has between 1 byte and 2 MiB', () => {
    assert.ok(readContent('a'.repeat(BOUNDS.resourceBytes), 'utf-8'))
    for (const data of ['a'.repeat(BOUNDS.resourceBytes + 1), '']) {
      assert.throws(
        () => readContent(data, 'utf-8'),
        /^AgentError: data: (?:must have at most 2097152|must have at least one)/,
      )
    }
  })
})
