import assert from 'node:assert/strict'
import { sharedPart } from '@vidimus/core-types'
import { answerBody } from '../../answers/answer-body.js'

const textOf = (body: ReturnType<typeof answerBody>) =>
  typeof body === 'string' ? body : Buffer.concat(body).toString()

describe('answerBody', () => {
  it('is what JSON.stringify writes, wherever the shared parts are', () => {
    const part = sharedPart({ list: 'ä€😀', nested: { n: [1, null], nothing: undefined } })
    for (const result of [
      { part },
      { part, changed: [1] },
      { updated: true, part, other: undefined, last: 'ü' },
      { none: undefined, part, again: part, none2: undefined },
      { __proto__: null, '"odd"': 1, part },
      { updated: true, nothing: undefined },
      {},
      [part],
      null,
      'text',
    ]) {
      assert.equal(textOf(answerBody(result)), JSON.stringify(result))
    }
  })

  it('makes the bytes of a shared part once', () => {
    const part = sharedPart({ list: 'x' })
    const [, first] = answerBody({ updated: true, part })
    const [, second] = answerBody({ updated: false, part })
    assert.equal(first, second)
    assert.ok(Object.isFrozen(part))
  })
})
