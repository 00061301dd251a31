import assert from 'node:assert/strict'
import { isAgentError, type StatusListLayout } from '@vidimus/core-types'
import fc from 'fast-check'
import { nextTokenValue, reportTokenValue } from '../../types/token-status-values.js'
import { refused } from '../refused.js'

const layoutOf = (statusSize: number): StatusListLayout => ({
  statusSize,
  order: 'lsb',
  purposes: statusSize === 1 ? ['revocation'] : ['revocation', 'suspension'],
  encrypted: false,
})

describe('token status list values', () => {
  const moves: [statusSize: number, action: string, current: number, next: number][] = [
    [1, 'revoke', 0, 1],
    [1, 'revoke', 1, 1],
    [1, '0', 0, 0],
    [2, 'suspend', 0, 2],
    [2, 'revoke', 2, 1],
    [2, 'reinstate', 2, 0],
    [2, 'reinstate', 0, 0],
    [2, '3', 0, 3],
    [2, '0x3', 2, 3],
    [2, 'reinstate', 3, 0],
    [2, '1', 0, 1],
    [4, '12', 0, 12],
    [4, '0xF', 0, 15],
    [8, 'suspend', 200, 2],
    [8, '15', 0, 15],
  ]
  for (const [statusSize, action, current, next] of moves) {
    it(`${action} changes ${current} to ${next} in ${statusSize} bits`, () => {
      assert.equal(nextTokenValue(layoutOf(statusSize), action, current), next)
    })
  }

  const refusals: [statusSize: number, action: string, current: number, code: string, says?: RegExp][] = [
    [1, 'suspend', 0, 'value_too_wide', /one bit/],
    [1, 'suspend', 1, 'value_too_wide'],
    [1, 'reinstate', 1, 'irreversible'],
    [1, 'reinstate', 0, 'purpose_mismatch'],
    [1, '2', 0, 'value_too_wide'],
    [2, 'reinstate', 1, 'irreversible'],
    [2, 'suspend', 1, 'irreversible'],
    [2, '0', 1, 'irreversible'],
    [2, '3', 1, 'irreversible'],
    [2, '4', 0, 'value_too_wide'],
    [2, '5', 0, 'value_too_wide'],
    [4, '4', 0, 'unknown_action', /reserved.*possible: revoke, suspend, reinstate, 3, 12, 13, 14, 15/],
    [4, '11', 0, 'unknown_action'],
    [8, '16', 0, 'unknown_action'],
    [8, '255', 0, 'unknown_action'],
    [8, '256', 0, 'value_too_wide'],
    [8, '9999999999999999', 0, 'value_too_wide'],
  ]
  for (const [statusSize, action, current, code, says] of refusals) {
    it(`refuses ${action} from ${current} in ${statusSize} bits: ${code}`, () =>
      refused(() => nextTokenValue(layoutOf(statusSize), action, current), {
        code,
        path: code === 'irreversible' ? '' : 'statusAction',
        ...(says && { says }),
      }))
  }

  for (const action of [
    '',
    ' ',
    '3 ',
    '03',
    '-1',
    '1.0',
    '1e1',
    '3abc',
    '0x',
    '0x3g',
    'VALID',
    'constructor',
  ]) {
    it(`refuses the action "${action}"`, () =>
      refused(() => nextTokenValue(layoutOf(8), action, 0), { code: 'unknown_action' }))
  }

  it('never change once invalid', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 4, 8),
        fc.oneof(fc.nat(300).map(String), fc.string()),
        (size, action) => {
          try {
            assert.equal(nextTokenValue(layoutOf(size), action, 1), 1)
          } catch (error) {
            assert.ok(isAgentError(error), String(error))
          }
        },
      ),
    )
  })

  it('report the flag of the purpose, or both without a purpose', () => {
    const layout = layoutOf(8)
    assert.deepEqual(reportTokenValue(layout, 0), {
      status: 0,
      valid: true,
      revoked: false,
      suspended: false,
      message: 'VALID',
    })
    assert.deepEqual(reportTokenValue(layout, 1, 'revocation'), {
      status: 1,
      valid: false,
      revoked: true,
      message: 'INVALID',
    })
    assert.deepEqual(reportTokenValue(layout, 1, 'suspension'), {
      status: 1,
      valid: false,
      suspended: false,
      message: 'INVALID',
    })
    assert.deepEqual(reportTokenValue(layout, 2, 'suspension'), {
      status: 2,
      valid: false,
      suspended: true,
      message: 'SUSPENDED',
    })
    assert.deepEqual(reportTokenValue(layout, 13, 'revocation'), {
      status: 13,
      valid: false,
      revoked: false,
      message: 'APPLICATION_SPECIFIC',
    })
    assert.deepEqual(reportTokenValue(layout, 7), {
      status: 7,
      valid: false,
      revoked: false,
      suspended: false,
    })
  })
})
