import assert from 'node:assert/strict'
import type { StatusListLayout, StatusReport } from '@vidimus/core-types'
import { defaultStatusMessages } from '../../types/status-messages.js'
import { statusReport } from '../../types/status-report.js'

const layout = (statusSize: number, purposes: string[], messages?: string[]): StatusListLayout => ({
  statusSize,
  order: 'msb',
  purposes,
  encrypted: false,
  ...(messages && {
    statusMessages: messages.map((message, value) => ({ status: `0x${value.toString(16)}`, message })),
  }),
})
const words = defaultStatusMessages(2)?.map(({ message }) => message)
const BOTH = layout(2, ['revocation', 'suspension'], words)

describe('entry report', () => {
  const cases: [string, StatusListLayout, value: number, purpose: string, StatusReport][] = [
    ['one bit', layout(1, ['revocation']), 0, 'revocation', { status: 0, valid: true, revoked: false }],
    ['one bit', layout(1, ['revocation']), 1, 'revocation', { status: 1, valid: false, revoked: true }],
    ['one bit', layout(1, ['suspension']), 1, 'suspension', { status: 1, valid: false, suspended: true }],
    ['one bit', layout(1, ['refresh']), 1, 'refresh', { status: 1, valid: false }],
    [
      'one bit with messages',
      layout(1, ['suspension'], words),
      1,
      'suspension',
      { status: 1, valid: false, suspended: true },
    ],
    ['both', BOTH, 0, 'revocation', { status: 0, valid: true, revoked: false, message: 'valid' }],
    ['both', BOTH, 1, 'suspension', { status: 1, valid: false, suspended: false, message: 'revoked' }],
    ['both', BOTH, 2, 'suspension', { status: 2, valid: false, suspended: true, message: 'suspended' }],
    ['both', BOTH, 2, 'revocation', { status: 2, valid: false, revoked: false, message: 'suspended' }],
    ['both', BOTH, 3, 'revocation', { status: 3, valid: false, revoked: false, message: 'unknown' }],
    [
      'messages',
      layout(2, ['message'], words),
      1,
      'message',
      { status: 1, valid: false, revoked: true, message: 'revoked' },
    ],
    [
      'messages',
      layout(2, ['message'], words),
      3,
      'message',
      { status: 3, valid: false, message: 'unknown' },
    ],
    [
      'messages',
      layout(2, ['message'], ['a', 'b', 'c', 'undefined']),
      3,
      'message',
      { status: 3, valid: false },
    ],
    [
      'other reasons to revoke',
      layout(2, ['revocation'], ['ok', 'lost', 'stolen', 'x']),
      2,
      'revocation',
      { status: 2, valid: false, revoked: true, message: 'stolen' },
    ],
    [
      'no messages at all',
      layout(2, ['revocation']),
      3,
      'revocation',
      { status: 3, valid: false, revoked: true },
    ],
    [
      'no messages at all',
      layout(2, ['suspension']),
      3,
      'suspension',
      { status: 3, valid: false, suspended: true },
    ],
  ]
  for (const [title, list, value, purpose, expected] of cases) {
    it(`${title}: ${value} under ${purpose}`, () => {
      assert.deepEqual(statusReport(list, value, purpose), expected)
    })
  }
})
