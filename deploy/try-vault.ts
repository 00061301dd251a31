// npm run try:vault: makes keys in the transit engine of your OpenBao or HashiCorp Vault, signs with them, and verifies the
// signatures with another library. Reads the variables of docs/key-service.md.
//
// --delete   deletes the keys afterwards, which the policy must allow
import assert from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/p256'
import type { ManagedKeyInfo } from '@veramo/core-types'
import { runInAccountScope } from '@vidimus/core-types'
import { VaultKeyManagementSystem } from '@vidimus/kms-vault'

const { values: options } = parseArgs({ options: { delete: { type: 'boolean', default: false } } })
const { VAULT_ADDR, VAULT_NAMESPACE, VAULT_ROLE_ID, VAULT_SECRET_ID, VAULT_TOKEN } = process.env
const TYPES = ['Ed25519', 'Secp256r1'] as const
const account = { id: 'try-vault', name: 'try-vault', createdAt: new Date().toISOString() }
const data = Uint8Array.from(Buffer.from('a message of npm run try:vault'))

async function tryKeys(kms: VaultKeyManagementSystem): Promise<void> {
  for (const type of TYPES) {
    const key = await kms.createKey({ type })
    const signature = await kms.sign({ keyRef: key, data })
    assert.ok(isValid(key, signature), `the signature of ${type} does not verify`)
    console.log(`${type}: made ${key.publicKeyHex}, signed, verified`)
    if (options.delete) {
      assert.equal(await kms.deleteKey({ kid: key.kid }), true)
      console.log(`${type}: deleted`)
    }
  }
}

function isValid({ type, publicKeyHex }: ManagedKeyInfo, signature: string): boolean {
  const raw = Uint8Array.from(Buffer.from(signature, 'base64url'))
  const key = Uint8Array.from(Buffer.from(publicKeyHex, 'hex'))
  return type === 'Ed25519' ? ed25519.verify(raw, data, key) : p256.verify(raw, data, key, { prehash: true })
}

const kept = options.delete ? 'deletes them again' : 'leaves them there (--delete deletes them)'
console.log(
  `Makes ${TYPES.length} keys named vidimus-try-vault-... at ${VAULT_ADDR ?? '(VAULT_ADDR)'} and ${kept}.`,
)
const kms = new VaultKeyManagementSystem({
  address: VAULT_ADDR ?? '',
  namespace: VAULT_NAMESPACE ?? null,
  roleId: VAULT_ROLE_ID ?? null,
  secretId: VAULT_SECRET_ID ?? null,
  token: VAULT_TOKEN ?? null,
  allowDeletion: options.delete,
})
await runInAccountScope(account, () => tryKeys(kms))
