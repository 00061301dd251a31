import assert from 'node:assert/strict'
import { actionsFor, entryMeaning, meaningOfCheck, reportedMeaning } from '../../status-list/entry-meaning.js'
import type { ListLayout } from '../../status-list/list-content.js'

const layout = (purposes: string[], statusSize = 1, messages: [number, string][] = []): ListLayout => ({
  statusSize,
  order: 'msb',
  purposes,
  messages: new Map(messages),
  encrypted: false,
})
const actions = (of: ListLayout, value: number) => actionsFor(of, value).map(({ action }) => action)

describe('meaning of an entry', () => {
  it('follows the purpose for one-bit entries', () => {
    assert.deepEqual(entryMeaning(layout(['revocation']), 1), { text: 'Revoked', tone: 'revoked' })
    assert.deepEqual(entryMeaning(layout(['suspension']), 1), { text: 'Suspended', tone: 'suspended' })
    assert.deepEqual(entryMeaning(layout(['revocation']), 0), { text: 'Not set', tone: 'unset' })
  })

  it('is what the service reports, for types of plugins', () => {
    const meanings = new Map([
      [0, reportedMeaning({ value: 0, valid: true })],
      [1, reportedMeaning({ value: 1, valid: false, message: 'on hold' })],
      [2, reportedMeaning({ value: 2, valid: false, revoked: true })],
      [3, reportedMeaning({ value: 3, valid: false })],
    ])
    const reported = { meanings, actions: new Map([[1, ['revoke', 'reinstate']]]) }
    const list = { ...layout(['revocation'], 2), reported }
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((value) => entryMeaning(list, value)),
      [
        { text: 'Not set', tone: 'unset' },
        { text: 'On hold', tone: 'other' },
        { text: 'Revoked', tone: 'revoked' },
        { text: 'Value 3 (0x3)', tone: 'other' },
        { text: 'Value 4 (0x4)', tone: 'other' },
      ],
    )
    assert.deepEqual(actions(list, 1), ['revoke', 'reinstate'])
    assert.deepEqual(actions(list, 2), [])
  })

  it('follows the messages for wider entries', () => {
    const list = layout(['message'], 2, [
      [0, 'pending'],
      [1, 'approved'],
      [2, 'revoked'],
    ])
    assert.deepEqual(entryMeaning(list, 0), { text: 'Pending', tone: 'unset' })
    assert.deepEqual(entryMeaning(list, 1), { text: 'Approved', tone: 'other' })
    assert.deepEqual(entryMeaning(list, 2), { text: 'Revoked', tone: 'revoked' })
    assert.deepEqual(entryMeaning(list, 3), { text: 'Value 3 (0x3)', tone: 'other' })
  })

  it('offers the available actions, and none for a revoked entry', () => {
    const both = layout(['revocation', 'suspension'], 2)
    assert.deepEqual(actions(both, 0), ['revoke', 'suspend'])
    assert.deepEqual(actions(both, 2), ['revoke', 'reinstate'])
    assert.deepEqual(actions(both, 1), [])
    assert.deepEqual(actions(layout(['suspension']), 1), ['reinstate'])
    assert.deepEqual(actions(layout(['revocation']), 0), ['revoke'])
    const own = layout(['message'], 2, [
      [0, 'pending'],
      [1, 'approved'],
      [3, 'rejected'],
    ])
    assert.deepEqual(actions(own, 1), ['0x3'])
  })

  it('comes from the service if the list cannot be read here', () => {
    assert.deepEqual(meaningOfCheck({ status: 0, valid: true }), { text: 'Not set', tone: 'unset' })
    assert.deepEqual(meaningOfCheck({ status: 1, valid: false, revoked: true }), {
      text: 'Revoked',
      tone: 'revoked',
    })
    assert.deepEqual(meaningOfCheck({ status: 1, valid: false, suspended: true }), {
      text: 'Suspended',
      tone: 'suspended',
    })
    assert.deepEqual(meaningOfCheck({ status: 5, valid: false, message: 'lost' }), {
      text: 'Lost',
      tone: 'other',
    })
    assert.deepEqual(meaningOfCheck({ status: 5, valid: false }), { text: 'Value 5', tone: 'other' })
    const ofPlugin = layout(['suspension'])
    assert.deepEqual(actionsFor(ofPlugin, 1, 'revoked'), [])
  })
})
