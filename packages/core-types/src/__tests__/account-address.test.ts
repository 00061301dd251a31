import assert from 'node:assert/strict'
import { bech32, bech32m } from '@scure/base'
import fc from 'fast-check'
import { isAccountAddress } from '../account-address.js'

const encode = (
  bytes: Uint8Array,
  prefix = 'cheqd',
  code: Pick<typeof bech32m, 'encode' | 'toWords'> = bech32,
) => code.encode(prefix, code.toWords(bytes))

describe('isAccountAddress', () => {
  it('accepts addresses in real use', () => {
    for (const address of [
      'cheqd1ece09txhq6nm9fkft9jh3mce6e48ftescs5jsw',
      'cheqd1rnr5jrt4exl0samwj0yegv99jeskl0hsxmcz96',
      'cheqd1qs0nhyk868c246defezhz5eymlt0dmajna2csg',
    ]) {
      assert.match(address, /^cheqd1[02-9ac-hj-np-z]{38}$/)
      assert.ok(isAccountAddress(address), address)
    }
  })

  it('accepts 20 and 32 bytes and no other length', () => {
    for (let length = 0; length <= 40; length += 1) {
      assert.equal(
        isAccountAddress(encode(Buffer.alloc(length, 5))),
        length === 20 || length === 32,
        `${length}`,
      )
    }
  })

  it('refuses every address with one character changed', () => {
    const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 })
    const alphabet = [...'qpzry9x8gf2tvdw0s3jn54khce6mua7l']
    fc.assert(
      fc.property(bytes, fc.nat(37), fc.constantFrom(...alphabet), (account, at, character) => {
        const address = encode(account)
        assert.ok(isAccountAddress(address))
        const place = 'cheqd1'.length + at
        fc.pre(address[place] !== character)
        assert.ok(!isAccountAddress(address.slice(0, place) + character + address.slice(place + 1)))
      }),
    )
  })

  it('refuses other prefixes, encodings and spellings', () => {
    const bytes = Buffer.alloc(20, 5)
    for (const text of [
      '',
      'cheqd1',
      encode(bytes, 'cosmos'),
      encode(bytes, 'cheqdvaloper'),
      encode(bytes, 'cheqd', bech32m),
      encode(bytes).toUpperCase(),
      encode(bytes).replace('cheqd', 'Cheqd'),
      ` ${encode(bytes)}`,
      `${encode(bytes)}\n`,
      'x'.repeat(100_000),
    ]) {
      assert.ok(!isAccountAddress(text), text.slice(0, 60))
    }
  })
})
