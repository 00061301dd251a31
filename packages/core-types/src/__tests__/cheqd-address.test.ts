import assert from 'node:assert/strict'
import { bech32 } from '@scure/base'
import fc from 'fast-check'
import { isCheqdAddress } from '../cheqd-address.js'

const addressOf = (bytes: Uint8Array, prefix = 'cheqd') => bech32.encode(prefix, bech32.toWords(bytes))
const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

describe('isCheqdAddress', () => {
  it('takes what an independent library encodes', () => {
    fc.assert(fc.property(fc.oneof(bytesOf(20), bytesOf(32)), (bytes) => isCheqdAddress(addressOf(bytes))))
  })

  it('takes no address with a character changed, missing or too many', () => {
    const change = fc.tuple(
      fc.oneof(bytesOf(20), bytesOf(32)),
      fc.nat(),
      fc.constantFrom(...'qpzry9x8gf2tvdw0s3jn54khce6mua7l'),
    )
    fc.assert(
      fc.property(change, ([bytes, n, character]) => {
        const address = addressOf(bytes)
        const place = 6 + (n % (address.length - 6))
        const changed = address.slice(0, place) + character + address.slice(place + 1)
        assert.equal(isCheqdAddress(changed), changed === address)
        assert.equal(isCheqdAddress(address.slice(0, place) + address.slice(place + 1)), false)
        assert.equal(isCheqdAddress(address.slice(0, place) + character + address.slice(place)), false)
      }),
    )
  })

  it('takes nothing of another network, length or case', () => {
    const bytes = new Uint8Array(20).fill(3)
    for (const text of [
      addressOf(bytes, 'cosmos'),
      addressOf(bytes).toUpperCase(),
      addressOf(new Uint8Array(19)),
      addressOf(new Uint8Array(33)),
      ` ${addressOf(bytes)}`,
      'cheqd1',
      '',
      bech32.encode('cheqd', [...new Array<number>(51).fill(0), 2]),
    ]) {
      assert.equal(isCheqdAddress(text), false, text)
    }
  })
})
