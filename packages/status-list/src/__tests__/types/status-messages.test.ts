import assert from 'node:assert/strict'
import { agreeingMessages, statusMessageProblems, valueOfStatus } from '../../types/status-messages.js'

const messages = (...texts: string[]) =>
  texts.map((message, n) => ({ status: `0x${n.toString(16)}`, message }))
const pathsOf = (list: { status: string; message: string }[], statusSize: number) =>
  statusMessageProblems(list, statusSize).map(({ path }) => path)

describe('status messages', () => {
  it('need one message for each value', () => {
    assert.deepEqual(pathsOf(messages('a', 'b'), 1), [])
    assert.deepEqual(pathsOf(messages('a', 'b', 'c', 'd'), 2), [])
    assert.deepEqual(pathsOf(messages('a', 'b'), 2), ['statusMessages'])
    assert.deepEqual(pathsOf(messages('a', 'b', 'c'), 2), ['statusMessages'])
    assert.deepEqual(pathsOf(messages('a', 'b', 'c', 'd'), 1), [
      'statusMessages',
      'statusMessages[2].status',
      'statusMessages[3].status',
    ])
  })

  it('must not repeat values or messages, except for "undefined"', () => {
    assert.deepEqual(pathsOf([...messages('a'), ...messages('b')], 1), ['statusMessages[1].status'])
    assert.deepEqual(pathsOf(messages('a', 'a'), 1), ['statusMessages[1].message'])
    assert.deepEqual(pathsOf(messages('a', 'b', 'undefined', 'undefined'), 2), [])
  })

  it('accept statuses only in hexadecimal with 0x', () => {
    assert.equal(valueOfStatus('0x0'), 0)
    assert.equal(valueOfStatus('0xfF'), 255)
    for (const status of ['1', '0x', '0xg', 'x1', '0x1 ', '', '0x1234567']) {
      assert.equal(valueOfStatus(status), undefined, status)
    }
  })

  it('are compared by value, not by order and spelling', () => {
    assert.ok(agreeingMessages(messages('a', 'b'), messages('a', 'b').reverse()))
    assert.ok(agreeingMessages([{ status: '0xA', message: 'a' }], [{ status: '0xa', message: 'a' }]))
    assert.ok(!agreeingMessages(messages('a', 'b'), messages('b', 'a')))
    assert.ok(!agreeingMessages(messages('a', 'b'), messages('a')))
    assert.ok(!agreeingMessages([], messages('a')))
  })
})
