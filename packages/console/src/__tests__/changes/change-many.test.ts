import assert from 'node:assert/strict'
import { rowsOfList } from '../../changes/change-many.js'

const list = {
  did: 'did:cheqd:testnet:1',
  listType: 'BitstringStatusList',
  resourceType: 'BitstringStatusListCredential',
  statusListName: 'a "b", c+d',
}
const address =
  '"did:cheqd:testnet:1?resourceName=a%20%22b%22%2C%20c%2Bd&resourceType=BitstringStatusListCredential"'

describe('the rows of a mass change', () => {
  it('are one for each index, with ranges', () => {
    assert.equal(
      rowsOfList(list, '7, 3-5;\n9', 'revoke'),
      ['list,index,action', ...[7, 3, 4, 5, 9].map((index) => `${address},${index},revoke`), ''].join('\n'),
    )
  })

  it('are refused with what is wrong', () => {
    const refused: [string, RegExp][] = [
      [' ,\n', /Type the indices/],
      ['1, x, 2-, -3', /Not an index, and not a range: x, 2-, -3/],
      ['9-3', /ends before it begins: 9-3/],
      ['0-1000000', /more than 1,000,000/],
      ['0-999999 1', /more than 1,000,000/],
    ]
    for (const [indices, says] of refused) {
      assert.throws(() => rowsOfList(list, indices, 'revoke'), says, indices)
    }
  })
})
