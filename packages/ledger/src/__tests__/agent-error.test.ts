import assert from 'node:assert/strict'
import { LedgerError, toAgentError, validateMessage, type LedgerPhase } from '../index.js'

const error = (codespace: string, code: number, phase: LedgerPhase = 'deliver') =>
  new LedgerError(`detail: text ${code}`, { codespace, code, phase })

describe('toAgentError', () => {
  for (const [codespace, code, phase, expected] of [
    ['cheqd', 1000, 'deliver', 'ledger_rule'],
    ['cheqd', 1100, 'deliver', 'ledger_rule'],
    ['cheqd', 1101, 'deliver', 'ledger_rule'],
    ['cheqd', 1200, 'deliver', 'did_taken'],
    ['cheqd', 1201, 'deliver', 'did_not_found'],
    ['cheqd', 1202, 'deliver', 'ledger_rule'],
    ['cheqd', 1205, 'check', 'ledger_rule'],
    ['cheqd', 1206, 'deliver', 'ledger_rule'],
    ['cheqd', 1207, 'deliver', 'did_deactivated'],
    ['cheqd', 1300, 'query', 'internal_error'],
    ['cheqd', 1500, 'deliver', 'internal_error'],
    ['resource', 2200, 'deliver', 'ledger_rule'],
    ['resource', 2205, 'check', 'ledger_rule'],
    ['resource', 2500, 'deliver', 'internal_error'],
    ['sdk', 5, 'deliver', 'insufficient_funds'],
    ['sdk', 38, 'deliver', 'did_not_found'],
    ['sdk', 11, 'deliver', 'ledger_unavailable'],
    ['sdk', 32, 'check', 'ledger_unavailable'],
    ['vidimus', 1, 'conflict', 'version_conflict'],
    ['vidimus', 2, 'transport', 'ledger_unavailable'],
    ['', 0, 'timeout', 'ledger_unavailable'],
  ] as const) {
    it(`maps ${codespace || 'no codespace'} ${code} in phase ${phase} to ${expected}`, () => {
      const cause = error(codespace, code, phase)
      const made = toAgentError(cause)
      assert.equal(made.code, expected)
      assert.match(made.message, /detail: text/)
      assert.equal(made.cause, cause)
    })
  }

  it('names every broken rule with its place in the payload', () => {
    let refused: unknown
    try {
      validateMessage('testnet', {
        type: 'deactivateDidDoc',
        payload: { id: 'did:key:x', versionId: 'x' },
        signatures: [{ verificationMethodId: 'x', signature: new Uint8Array() }],
      })
    } catch (thrown) {
      refused = thrown
    }
    assert.ok(refused instanceof LedgerError)
    const made = toAgentError(refused)
    assert.equal(made.message, 'id: did method must be: cheqd (and 3 more)')
    assert.deepEqual(
      made.details.map(({ path }) => path),
      ['id', 'versionId', 'signatures[0].verificationMethodId', 'signatures[0].signature'],
    )
  })
})
