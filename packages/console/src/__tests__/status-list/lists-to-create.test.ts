import assert from 'node:assert/strict'
import { listsToCreate } from '../../status-list/lists-to-create.js'

describe('lists that the form creates', () => {
  it('are one for one purpose', () => {
    assert.deepEqual(listsToCreate('BitstringStatusList', 'staff', 'revocation'), [
      { statusListName: 'staff', statusPurpose: ['revocation'] },
    ])
  })

  it('are one for each purpose, with names that differ where they must', () => {
    const both = 'revocation and suspension'
    assert.deepEqual(listsToCreate('BitstringStatusList', 'staff', both), [
      { statusListName: 'staff-revocation', statusPurpose: ['revocation'] },
      { statusListName: 'staff-suspension', statusPurpose: ['suspension'] },
    ])
    assert.deepEqual(listsToCreate('StatusList2021', 'staff', both), [
      { statusListName: 'staff', statusPurpose: ['revocation'] },
      { statusListName: 'staff', statusPurpose: ['suspension'] },
    ])
  })

  it('are one where an entry has one status for all purposes', () => {
    assert.deepEqual(listsToCreate('TokenStatusList', 'passes', 'revocation and suspension'), [
      { statusListName: 'passes', statusPurpose: ['revocation', 'suspension'] },
    ])
  })
})
