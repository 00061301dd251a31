import assert from 'node:assert/strict'
import { formatPath, parseOptions } from '../options.js'

describe('options', () => {
  it('display paths in readable form', () => {
    assert.equal(formatPath([]), '')
    assert.equal(formatPath(['didDocument', 'service', 0, 'type']), 'didDocument.service[0].type')
    assert.equal(formatPath([2]), '[2]')
  })

  it('are validated with all problems in one error', () => {
    const schema = {
      safeParse: () => ({
        success: false as const,
        error: {
          issues: [
            { path: ['port'], message: 'too big' },
            { path: [], message: 'odd' },
          ],
        },
      }),
    }
    assert.throws(() => parseOptions(schema, {}), {
      code: 'invalid_configuration',
      message: 'port: too big (and 1 more)',
      details: [
        { path: 'port', message: 'too big' },
        { path: '', message: 'odd' },
      ],
    })
  })
})
