import assert from 'node:assert/strict'
import { readBitstringEntry, readStatusList2021Entry } from '../../types/status-list-entry.js'
import { refused } from '../refused.js'

const bitstring = {
  type: 'BitstringStatusListEntry',
  statusPurpose: 'revocation',
  statusListIndex: '94567',
  statusListCredential: 'did:cheqd:testnet:x?resourceName=a&resourceType=b',
}
const older = {
  id: 'https://resolver.cheqd.net/1.0/identifiers/did:cheqd:testnet:x?resourceName=a&resourceType=b#7',
  type: 'StatusList2021Entry',
  statusPurpose: 'revocation',
  statusListIndex: '7',
}
const four = ['0x0', '0x1', '0x2', '0x3'].map((status) => ({ status, message: `m${status}` }))

describe('credential entry', () => {
  it('is read from a BitstringStatusListEntry, with what it states of width and messages', () => {
    assert.deepEqual(readBitstringEntry(bitstring), {
      listUrl: bitstring.statusListCredential,
      index: 94567,
      purpose: 'revocation',
    })
    const wide = readBitstringEntry({ ...bitstring, statusSize: 2, statusMessage: four })
    assert.deepEqual([wide.statusSize, wide.statusMessages], [2, four])
    assert.equal(readBitstringEntry({ ...bitstring, statusSize: 2 }).statusMessages, undefined)
    assert.equal(readBitstringEntry({ ...bitstring, statusListIndex: '0' }).index, 0)
  })

  it('is read from a StatusList2021Entry, using its id as the list if nothing else names it', () => {
    const [listUrl = ''] = older.id.split('#')
    const read = { listUrl, index: 7, purpose: 'revocation', statusSize: 1 }
    assert.deepEqual(readStatusList2021Entry(older), read)
    const named = { ...older, id: 'urn:x#other', statusListCredential: 'did:x:y?z' }
    assert.deepEqual(readStatusList2021Entry(named), { ...read, listUrl: 'did:x:y?z' })
  })

  it('refuses an id with another index', () =>
    refused(() => readStatusList2021Entry({ ...older, statusListIndex: '8' }), {
      code: 'invalid_credential',
      says: /differs from its statusListIndex/,
    }))

  for (const statusListIndex of [
    '12abc',
    '-1',
    '1e3',
    '',
    ' 1',
    '1.0',
    '0x1',
    '007',
    '9007199254740992',
    12,
    null,
  ]) {
    it(`refuses the index ${JSON.stringify(statusListIndex)}`, async () => {
      const refusal = { code: 'invalid_credential', says: /statusListIndex/ }
      await refused(() => readBitstringEntry({ ...bitstring, statusListIndex }), refusal)
      await refused(() => readStatusList2021Entry({ ...older, statusListIndex }), refusal)
    })
  }

  const bad: [string, Record<string, unknown>, says?: RegExp][] = [
    ['two bits with two messages', { statusSize: 2, statusMessage: four.slice(0, 2) }],
    ['two bits with three messages', { statusSize: 2, statusMessage: four.slice(0, 3) }],
    ['no bits', { statusSize: 0 }, /statusSize must be a whole number of bits from 1 to 8/],
    ['nine bits', { statusSize: 9 }, /statusSize must be a whole number of bits from 1 to 8/],
    ['bits as text', { statusSize: '2', statusMessage: four }],
    ['no list', { statusListCredential: undefined }],
    ['several purposes', { statusPurpose: ['revocation'] }],
    ['no purpose', { statusPurpose: undefined }],
  ]
  for (const [title, members, says] of bad) {
    it(`refuses ${title}`, () =>
      refused(() => readBitstringEntry({ ...bitstring, ...members }), { code: 'invalid_credential', says }))
  }
})
