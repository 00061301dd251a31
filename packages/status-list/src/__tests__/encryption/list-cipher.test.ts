import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { asDid, asListName } from '@vidimus/core-types'
import fc from 'fast-check'
import { listCipher } from '../../encryption/list-cipher.js'
import { refused } from '../refused.js'

const location = { did: asDid('did:cheqd:testnet:a'), statusListName: asListName('list'), resourceType: 'T' }
const key = randomBytes(32)

describe('listCipher', () => {
  const cipher = listCipher(key, location)

  it('decrypts what it encrypts', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4096 }), (bytes) => {
        assert.deepEqual(Buffer.from(cipher.decrypt(cipher.encrypt(bytes))), Buffer.from(bytes))
      }),
    )
    for (const bytes of [[], [0], [0x80], [0x80, 0, 0], [0, 0x80], Array<number>(1023).fill(0x80)]) {
      assert.deepEqual([...cipher.decrypt(cipher.encrypt(Uint8Array.from(bytes)))], bytes)
    }
  })

  it('reveals the length of its input only in steps of 1024 bytes', () => {
    const lengths = [0, 1, 500, 1023].map((length) => cipher.encrypt(new Uint8Array(length)).length)
    assert.deepEqual(lengths, Array<number>(4).fill(12 + 1024 + 16))
    assert.equal(cipher.encrypt(new Uint8Array(1024)).length, 12 + 2048 + 16)
  })

  it('decrypts nothing that was changed or truncated', async () => {
    const sealed = cipher.encrypt(randomBytes(100))
    await fc.assert(
      fc.asyncProperty(fc.nat(sealed.length * 8 - 1), fc.nat(sealed.length - 1), async (bit, length) => {
        const changed = Uint8Array.from(sealed)
        const at = Math.floor(bit / 8)
        changed[at] = (changed[at] ?? 0) ^ (1 << (bit % 8))
        await refused(() => cipher.decrypt(changed), { code: 'malformed_list' })
        await refused(() => cipher.decrypt(sealed.subarray(0, length)), { code: 'malformed_list' })
      }),
    )
  })

  it('decrypts nothing of another list or key', async () => {
    const sealed = cipher.encrypt(Buffer.from('bits'))
    for (const other of [
      listCipher(randomBytes(32), location),
      listCipher(key, { ...location, did: asDid('did:cheqd:testnet:b') }),
      listCipher(key, { ...location, statusListName: asListName('other') }),
      listCipher(key, { ...location, resourceType: 'U' }),
    ]) {
      const error = await refused(() => other.decrypt(sealed), { code: 'malformed_list' })
      assert.doesNotMatch(JSON.stringify([error.message, error.details]), new RegExp(key.toString('hex')))
    }
  })
})
