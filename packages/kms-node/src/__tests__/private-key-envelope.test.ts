import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { PrivateKeyEnvelope } from '../index.js'

const secret = '5e'.repeat(32)

describe('PrivateKeyEnvelope', () => {
  const envelope = new PrivateKeyEnvelope({ secret })

  it('opens what it sealed, in another process too', () => {
    const context = fc.array(fc.string(), { maxLength: 3 })
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), context, (text, parts) => {
        const sealed = envelope.seal(text, parts)
        assert.ok(envelope.isSealed(sealed))
        const again = new PrivateKeyEnvelope({ secret: secret.toUpperCase() })
        assert.equal(again.open(sealed, parts), text)
      }),
    )
  })

  it('opens only in the same context', () => {
    const sealed = envelope.seal('key', ['a', 'b:c'])
    for (const other of [['a:b', 'c'], ['a', 'b', 'c'], ['a'], [], ['b:c', 'a']]) {
      assert.throws(() => envelope.open(sealed, other), { code: 'wrong_secret' })
    }
  })

  it('opens only with its own secret, and names both secrets by their ids', () => {
    const other = new PrivateKeyEnvelope({ secret: '5f'.repeat(32) })
    assert.throws(
      () => other.open(envelope.seal('key', []), []),
      (error: unknown) => {
        assert.ok(error instanceof Error)
        assert.ok(error.message.includes(envelope.keyId) && error.message.includes(other.keyId))
        return true
      },
    )
  })

  it('also opens with earlier secrets, and seals with the requested one', () => {
    const both = new PrivateKeyEnvelope({ secret: '5f'.repeat(32), previous: [secret] })
    assert.deepEqual(both.keyIds, [both.keyId, envelope.keyId])
    assert.equal(both.open(envelope.seal('key', ['a']), ['a']), 'key')
    assert.throws(() => envelope.open(both.seal('key', ['a']), ['a']), { code: 'wrong_secret' })
    assert.equal(envelope.open(both.seal('key', ['a'], envelope.keyId), ['a']), 'key')
    assert.throws(() => both.seal('key', [], 'AAAAAAAA'), { code: 'wrong_secret' })
  })

  it('finds out the secret of a sealed text from its header alone', () => {
    const sealed = envelope.seal('key', [])
    assert.equal(envelope.keyIdOf(sealed), envelope.keyId)
    assert.equal(envelope.keyIdOf(sealed.slice(0, envelope.headLength)), envelope.keyId)
    assert.equal(envelope.keyIdOf(sealed.slice(0, envelope.headLength - 1)), undefined)
    for (const text of ['', 'a1'.repeat(32), 'v2.aaaaaaaa.', 'v1.aaaa.']) {
      assert.equal(envelope.keyIdOf(text), undefined)
    }
  })

  it('requires exactly one source of secrets', () => {
    const given = { secret } as const
    for (const options of [{}, { ...given, secrets: {} }, { secrets: { read: () => [] } }, { keys: [] }]) {
      assert.throws(() => new PrivateKeyEnvelope(options as never), { code: 'invalid_configuration' })
    }
  })

  it('detects every changed character', () => {
    const sealed = envelope.seal('a1'.repeat(32), ['account', 'alias'])
    for (let n = 0; n < sealed.length; n += 1) {
      const swapped = sealed[n] === 'A' ? 'B' : 'A'
      const changed = sealed.slice(0, n) + swapped + sealed.slice(n + 1)
      // The last character of base64url may contain meaningless bits.
      if (
        Buffer.from(changed.split('.')[3] ?? '', 'base64url').equals(
          Buffer.from(sealed.split('.')[3] ?? '', 'base64url'),
        ) &&
        n > 30
      )
        continue
      assert.throws(
        () => envelope.open(changed, ['account', 'alias']),
        { code: 'wrong_secret' },
        `character ${n}`,
      )
    }
    assert.throws(() => envelope.open(sealed.slice(0, -1), ['account', 'alias']), { code: 'wrong_secret' })
  })

  it('never produces the same text twice, nor one that looks like hex', () => {
    const sealed = Array.from({ length: 100 }, () => envelope.seal('a1', []))
    assert.equal(new Set(sealed).size, 100)
    assert.ok(sealed.every((text) => !/^[0-9a-f]*$/i.test(text)))
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF') }),
        (text) => !envelope.isSealed(text),
      ),
    )
  })

  it('refuses a malformed secret without repeating it', () => {
    for (const malformed of ['', 'abc123', `${secret}00`, `0x${secret.slice(2)}`, 'z'.repeat(64)]) {
      assert.throws(
        () => new PrivateKeyEnvelope({ secret: malformed }),
        (error: unknown) => {
          assert.ok(error instanceof Error && 'code' in error)
          assert.equal(error.code, 'invalid_configuration')
          assert.ok(malformed === '' || !inspect(error).includes(malformed))
          return true
        },
      )
    }
  })

  it('does not show its key', () => {
    const shown = inspect(envelope, { depth: 9, showHidden: true }) + JSON.stringify(envelope)
    assert.ok(!shown.includes(secret.slice(0, 16)))
  })
})
