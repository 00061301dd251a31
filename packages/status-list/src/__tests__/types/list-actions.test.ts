import assert from 'node:assert/strict'
import type { StatusListLayout } from '@vidimus/core-types'
import { valueAfterAction } from '../../types/list-actions.js'
import { defaultStatusMessages } from '../../types/status-messages.js'
import { refused } from '../refused.js'

const oneBit = (...purposes: string[]): StatusListLayout => ({
  statusSize: 1,
  order: 'msb',
  purposes,
  encrypted: false,
})
const twoBits = (purposes: string[], messages?: string[]): StatusListLayout => {
  const statusMessages =
    messages?.map((message, value) => ({ status: `0x${value}`, message })) ?? defaultStatusMessages(2) ?? []
  return { statusSize: 2, order: 'msb', purposes, encrypted: false, statusMessages }
}
const REVOCATION = oneBit('revocation')
const SUSPENSION = oneBit('suspension')
const REFRESH = oneBit('refresh')
const BOTH = twoBits(['revocation', 'suspension'])
const MESSAGE = twoBits(['message'], ['received', 'Rejected', 'accepted', 'undefined'])
// as cheqd's tools create lists by default: one bit, but messages for two
const OLDER = { ...twoBits(['revocation', 'suspension']), statusSize: 1 }

describe('actions of a list', () => {
  const allowed: [string, StatusListLayout, string, current: number, next: number][] = [
    ['revocation', REVOCATION, 'revoke', 0, 1],
    ['revocation', REVOCATION, 'revoke', 1, 1],
    ['revocation', REVOCATION, '1', 0, 1],
    ['revocation', REVOCATION, '0x1', 0, 1],
    ['suspension', SUSPENSION, '1', 0, 1],
    ['suspension', SUSPENSION, '0x0', 1, 0],
    ['suspension', SUSPENSION, 'suspend', 0, 1],
    ['suspension', SUSPENSION, 'suspend', 1, 1],
    ['suspension', SUSPENSION, 'reinstate', 1, 0],
    ['suspension', SUSPENSION, 'reinstate', 0, 0],
    ['refresh', REFRESH, 'set', 0, 1],
    ['refresh', REFRESH, '0x1', 1, 1],
    ['both', BOTH, 'revoke', 0, 1],
    ['both', BOTH, 'revoke', 2, 1],
    ['both', BOTH, 'suspend', 0, 2],
    ['both', BOTH, 'suspend', 3, 2],
    ['both', BOTH, 'reinstate', 2, 0],
    ['both', BOTH, 'reinstate', 3, 0],
    ['both', BOTH, 'unknown', 0, 3],
    ['both', BOTH, '3', 2, 3],
    ['both', BOTH, '0x3', 2, 3],
    ['messages', MESSAGE, 'accepted', 0, 2],
    ['messages', MESSAGE, 'received', 2, 0],
    ['messages', MESSAGE, 'reinstate', 2, 0],
    ['messages', MESSAGE, '0', 1, 0],
    ['messages with a word for revoked', twoBits(['message'], ['a', 'b', 'c', 'revoked']), 'revoke', 0, 3],
    [
      'words in another order',
      twoBits(['revocation', 'suspension'], ['valid', 'suspended', 'revoked', 'x']),
      'revoke',
      1,
      2,
    ],
    ['one bit of an older list', OLDER, 'revoke', 0, 1],
    ['one bit of an older list', OLDER, '0x1', 0, 1],
  ]
  for (const [title, layout, action, current, next] of allowed) {
    it(`${title}: ${action} changes ${current} to ${next}`, () => {
      assert.equal(valueAfterAction(layout, action, current), next)
    })
  }

  const forbidden: [string, StatusListLayout, string, current: number, code: string, says?: RegExp][] = [
    ['revocation', REVOCATION, 'reinstate', 1, 'irreversible'],
    ['revocation', REVOCATION, 'reinstate', 0, 'purpose_mismatch'],
    ['revocation', REVOCATION, 'suspend', 0, 'purpose_mismatch', /for suspension.*for revocation/],
    ['suspension', SUSPENSION, 'revoke', 0, 'purpose_mismatch'],
    ['refresh', REFRESH, 'revoke', 0, 'purpose_mismatch'],
    ['refresh', REFRESH, 'suspend', 0, 'purpose_mismatch'],
    ['refresh', REFRESH, 'reinstate', 0, 'purpose_mismatch'],
    ['refresh', REFRESH, 'unset', 1, 'irreversible'],
    ['refresh', REFRESH, 'reinstate', 1, 'irreversible'],
    ['both', BOTH, 'reinstate', 1, 'irreversible'],
    ['both', BOTH, 'suspend', 1, 'irreversible'],
    ['both', BOTH, 'valid', 1, 'irreversible'],
    ['both', BOTH, '0', 1, 'irreversible'],
    ['both', BOTH, '4', 0, 'unknown_action'],
    ['both', BOTH, '0x4', 0, 'unknown_action'],
    [
      'both',
      BOTH,
      '1abc',
      0,
      'unknown_action',
      /revoke, suspend, reinstate, valid, revoked, suspended, unknown/,
    ],
    ['both', BOTH, '1.0', 0, 'unknown_action'],
    ['both', BOTH, ' 1', 0, 'unknown_action'],
    ['both', BOTH, '01', 0, 'unknown_action'],
    ['both', BOTH, '-1', 0, 'unknown_action'],
    ['both', BOTH, '0x', 0, 'unknown_action'],
    ['both', BOTH, 'Revoked', 0, 'unknown_action'],
    ['both', BOTH, 'toString', 0, 'unknown_action'],
    ['messages', MESSAGE, 'revoke', 0, 'purpose_mismatch'],
    ['messages', MESSAGE, 'undefined', 0, 'unknown_action'],
    ['one bit of an older list', OLDER, 'suspend', 0, 'value_too_wide', /2.*one bit/],
    ['one bit of an older list', OLDER, '0x3', 0, 'value_too_wide'],
  ]
  for (const [title, layout, action, current, code, says] of forbidden) {
    it(`${title}: ${action} at ${current} is ${code}`, () =>
      refused(() => valueAfterAction(layout, action, current), {
        code,
        ...(says && { says }),
        ...(code !== 'irreversible' && { path: 'statusAction' }),
      }))
  }

  it('refuses an ambiguous word', async () => {
    const same = twoBits(['message'], ['a', 'b', 'b', '1'])
    assert.equal(valueAfterAction(same, 'a', 1), 0)
    for (const action of ['b', '1']) {
      await refused(() => valueAfterAction(same, action, 0), { code: 'unknown_action', says: /is ambiguous/ })
    }
    assert.equal(valueAfterAction(same, '0x1', 0), 1)
  })

  it('lists a limited number of states', async () => {
    const statusMessages = Array.from({ length: 256 }, (_, n) => ({
      status: `0x${n.toString(16)}`,
      message: `m${n}`,
    }))
    const layout = { ...BOTH, statusSize: 8, statusMessages }
    const error = await refused(() => valueAfterAction(layout, 'nope', 0), {
      code: 'unknown_action',
      says: /239 more/,
    })
    assert.ok(error.message.length < 300)
  })
})
