import assert from 'node:assert/strict'
import { readLog, type LogLine } from '@vidimus/core-types'
import { LedgerError, type LedgerPhase } from '../errors.js'
import { MeasuredSubmission } from '../measured-submission.js'

const refusal = (phase: LedgerPhase) => new LedgerError('no', { codespace: 'x', code: 1, phase })

describe('MeasuredSubmission', () => {
  it('counts each submission by outcome and passes on its result', async () => {
    const submission = new MeasuredSubmission('testnet', 'test')
    const lines: LogLine[] = []
    const stop = readLog((line) => lines.push(line))
    assert.equal(await submission.run('createDidDoc', () => Promise.resolve(7)), 7)
    const aborted = new DOMException('gone', 'AbortError')
    for (const error of [
      refusal('check'),
      refusal('transport'),
      refusal('timeout'),
      new Error('bug'),
      aborted,
    ]) {
      await assert.rejects(
        submission.run('createResource', () => Promise.reject(error)),
        error,
      )
    }
    stop()
    const [seconds] = submission.measurements
    assert.ok(seconds?.kind === 'histogram')
    const counts = (await seconds.read()).filter(({ metricName }) => metricName?.endsWith('_count'))
    assert.deepEqual(
      counts.map(({ labels, value }) => [labels.network, labels.message, labels.outcome, value]),
      [
        ['testnet', 'createDidDoc', 'committed', 1],
        ['testnet', 'createResource', 'check', 1],
        ['testnet', 'createResource', 'transport', 1],
        ['testnet', 'createResource', 'timeout', 1],
        ['testnet', 'createResource', 'error', 1],
        ['testnet', 'createResource', 'aborted', 1],
      ],
    )
    const warned = lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields.outcome)
    assert.deepEqual(warned, ['transport', 'timeout', 'error'])
    assert.ok(lines.filter(({ level }) => level === 'debug').every(({ error }) => error === undefined))
  })
})
