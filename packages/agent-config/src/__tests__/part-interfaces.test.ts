import assert from 'node:assert/strict'
import { KeyManagementSystem, SecretBox } from '@veramo/kms-local'
import { KeyDIDProvider } from '@veramo/did-provider-key'
import { MemoryDIDStore } from '@veramo/did-manager'
import { MemoryKeyStore, MemoryPrivateKeyStore } from '@veramo/key-manager'
import { partMistakes } from '../part-interfaces.js'

describe('parts of plugins', () => {
  it('may come from Veramo', () => {
    assert.ok(SecretBox)
    for (const [role, value] of [
      ['provider', new KeyDIDProvider({ defaultKms: 'local' })],
      ['kms', new KeyManagementSystem(new MemoryPrivateKeyStore())],
      ['key store', new MemoryKeyStore()],
      ['DID store', new MemoryDIDStore()],
      ['resolver', async () => undefined],
      ['plugin', undefined],
    ] as const) {
      assert.deepEqual(partMistakes(role, 'name', value), [], role)
    }
    assert.deepEqual(partMistakes('resolver', 'resolver', { resolve: () => undefined }), [])
  })

  it('must have every method of their interface', () => {
    const provider = new KeyDIDProvider({ defaultKms: 'local' }) as unknown as Record<string, unknown>
    for (const method of ['createIdentifier', 'deleteIdentifier', 'addKey', 'removeService']) {
      const lacking = Object.assign(Object.create(provider) as object, { [method]: undefined })
      assert.match(
        partMistakes('provider', 'did:x', lacking)[0] ?? '',
        new RegExp(`not a provider of DIDs .*: it lacks ${method}$`),
      )
    }
    assert.match(
      partMistakes('kms', 'local', { sign: () => '' })[0] ?? '',
      /lacks createKey, importKey, listKeys, deleteKey, sharedSecret$/,
    )
    assert.match(partMistakes('key store', undefined, {})[0] ?? '', /lacks importKey, getKey/)
    assert.match(partMistakes('DID store', undefined, {})[0] ?? '', /lacks importDID, getDID/)
  })

  it('are distinguished from other values', () => {
    assert.match(partMistakes('kms', 'local', KeyManagementSystem)[0] ?? '', /is a function.*omit \?t=obj/)
    assert.match(partMistakes('kms', 'local', null)[0] ?? '', /^is null, not a key management/)
    assert.match(partMistakes('provider', 'x', 'text')[0] ?? '', /^is text, not a provider/)
    assert.match(partMistakes('DID store', undefined, undefined)[0] ?? '', /^is undefined, not a store/)
    assert.match(partMistakes('resolver', 'key', {})[0] ?? '', /^is an object, not a resolver of did:key/)
    assert.match(partMistakes('resolver', 'key', [])[0] ?? '', /^is a list, not/)
    assert.match(partMistakes('resolver', 'resolver', {})[0] ?? '', /no method "resolve"/)
  })

  it('must not have the name of an inherited property', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      assert.match(partMistakes('resolver', name, async () => undefined)[0] ?? '', /is a reserved name/)
    }
  })
})
