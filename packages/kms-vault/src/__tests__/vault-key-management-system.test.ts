import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/p256'
import type { IKey, ManagedKeyInfo } from '@veramo/core-types'
import { runInAccountScope, type Account } from '@vidimus/core-types'
import { VaultDouble } from '../../../../test/support/vault-double.js'
import { VaultKeyManagementSystem, type VaultOptions } from '../index.js'

const data = Buffer.from('what is signed')
const account = (id: string): Account => ({ id, name: id, createdAt: '2026-01-01T00:00:00.000Z' })
const [acme, other] = [account('acme'), account('other')]

describe('VaultKeyManagementSystem', () => {
  let vault: VaultDouble
  const open: VaultKeyManagementSystem[] = []

  beforeEach(async () => {
    vault = await VaultDouble.start()
  })
  afterEach(async () => {
    for (const kms of open.splice(0)) await kms.lifecycle.stop?.()
    await vault.stop()
  })

  const kmsWith = (options: Partial<VaultOptions> = { token: vault.token() }): VaultKeyManagementSystem => {
    const kms = new VaultKeyManagementSystem({ address: vault.url, pauseMs: 1, ...options })
    open.push(kms)
    return kms
  }
  const as = <T>(who: Account, work: () => Promise<T>) => runInAccountScope(who, work)
  const sign = (kms: VaultKeyManagementSystem, keyRef: ManagedKeyInfo, algorithm?: string) =>
    as(acme, () => kms.sign({ keyRef, data, ...(algorithm !== undefined && { algorithm }) }))
  const newKey = (kms: VaultKeyManagementSystem, type: 'Ed25519' | 'Secp256r1' = 'Ed25519') =>
    as(acme, () => kms.createKey({ type }))

  const verifies = (
    { type, publicKeyHex }: Pick<IKey, 'type' | 'publicKeyHex'>,
    signature: string,
  ): boolean => {
    const raw = Uint8Array.from(Buffer.from(signature, 'base64url'))
    const point = Uint8Array.from(Buffer.from(publicKeyHex, 'hex'))
    return type === 'Ed25519'
      ? ed25519.verify(raw, data, point)
      : p256.verify(raw, data, point, { prehash: true })
  }

  for (const type of ['Ed25519', 'Secp256r1'] as const) {
    it(`creates ${type} keys whose signatures others verify, and passes on the data to sign`, async () => {
      const kms = kmsWith()
      const key = await newKey(kms, type)
      assert.equal(key.kid, key.publicKeyHex)
      assert.ok(verifies(key, await sign(kms, key)))
      assert.deepEqual(vault.signed, [data])
      const [name] = vault.keys.keys()
      assert.match(name ?? '', /^vidimus-acme-/)
    })
  }

  it('logs in with AppRole, and again after its token was revoked', async () => {
    const kms = kmsWith({ roleId: 'role', secretId: 'secret', token: 'not used' })
    const key = await newKey(kms)
    vault.tokens.clear()
    assert.ok(verifies(key, await sign(kms, key)))
    assert.equal(vault.calls.filter((call) => call === 'POST /v1/auth/approle/login').length, 2)
  })

  it('logs in with the token of its pod', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-vault-'))
    try {
      const kubernetesTokenFile = join(folder, 'token')
      await writeFile(kubernetesTokenFile, 'of the pod\n')
      await newKey(kmsWith({ kubernetesRole: 'vidimus', kubernetesTokenFile }))
      assert.equal(vault.calls[0], 'POST /v1/auth/kubernetes/login')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('logs in once for concurrent requests', async () => {
    const kms = kmsWith({ roleId: 'role', secretId: 'secret' })
    await Promise.all([newKey(kms), newKey(kms), newKey(kms)])
    assert.equal(vault.calls.filter((call) => call.includes('login')).length, 1)
  })

  it('retries when the server recovers quickly', async () => {
    const kms = kmsWith()
    const key = await newKey(kms)
    vault.nextAnswers.push(
      { status: 503 },
      { status: 412, body: { errors: ['required index state not present'] } },
    )
    assert.ok(verifies(key, await sign(kms, key)))
  })

  it('reports that the server is unreachable, sealed, too slow or lacks a permission', async () => {
    const token = vault.token()
    const kms = kmsWith({ token, attempts: 1 })
    const hasty = kmsWith({ token, attempts: 1, timeoutMs: 200 })
    const key = await newKey(kms)
    const refused = (message: RegExp, by = kms) =>
      assert.rejects(sign(by, key), { code: 'unavailable', message })
    vault.sealed = true
    await refused(/is sealed/)
    vault.sealed = false
    vault.tokens.clear()
    await refused(/lacks a permission/)
    vault.silent = true
    await refused(/no response within 200 ms/, hasty)
    await vault.stop()
    await refused(/cannot be reached: /)
    assert.equal((await kms.lifecycle.check?.())?.[0]?.ok, false)
    vault = await VaultDouble.start()
  })

  it('never shows a token', async () => {
    const token = 'hvs.secret-of-the-operator'
    const kms = kmsWith({ token })
    const error: unknown = await newKey(kms).catch((caught: unknown) => caught)
    const texts = JSON.stringify([
      error,
      String(error),
      (error as Error).stack,
      await kms.lifecycle.diagnose?.(),
    ])
    assert.match(texts, /refuses|rejected/)
    assert.doesNotMatch(texts, /secret-of-the-operator/)
  })

  it('never signs with a key of another account, whatever its metadata says', async () => {
    const kms = kmsWith()
    const theirs = await as(other, () => kms.createKey({ type: 'Ed25519' }))
    const mine = await newKey(kms)
    const refused = { code: 'key_not_found' }
    await assert.rejects(sign(kms, theirs), refused)
    await assert.rejects(sign(kms, { ...mine, meta: theirs.meta ?? null }), refused)
    for (const vaultKey of [`vidimus-acme-../vidimus-other-x`, '', 42, null]) {
      await assert.rejects(sign(kms, { ...mine, meta: { vaultKey } }), refused)
    }
    // Two keys of the same account that were exchanged: the signature is not that of the key.
    const second = await newKey(kms)
    await assert.rejects(sign(kms, { ...mine, meta: second.meta ?? null }), refused)
  })

  it('lists only the keys of an account, and deletes them if allowed', async () => {
    const kms = kmsWith()
    await as(other, () => kms.createKey({ type: 'Ed25519' }))
    const mine = await newKey(kms)
    assert.deepEqual(await as(acme, () => kms.listKeys()), [mine])
    const remove = (from: VaultKeyManagementSystem, who: Account) =>
      as(who, () => from.deleteKey({ kid: mine.kid }))
    await assert.rejects(remove(kms, acme), { code: 'invalid_input', message: /^kid: .*allowDeletion/ })
    const deleting = kmsWith({ token: vault.token(), allowDeletion: true })
    assert.equal(await remove(deleting, other), false)
    assert.equal(await remove(deleting, acme), true)
    assert.equal(await remove(deleting, acme), false)
    await assert.rejects(sign(kms, mine), { code: 'key_not_found' })
  })

  it('names unsupported operations', async () => {
    const kms = kmsWith()
    await assert.rejects(
      as(acme, () => kms.createKey({ type: 'Secp256k1' })),
      {
        code: 'invalid_input',
        message: /must be one of Ed25519, Secp256r1/,
      },
    )
    await assert.rejects(kms.importKey(), { code: 'invalid_input', message: /does not import keys/ })
    await assert.rejects(kms.sharedSecret(), { code: 'invalid_input' })
    await assert.rejects(sign(kms, await newKey(kms), 'ES256'), { code: 'invalid_input' })
  })

  it('refuses options that would expose the token or cannot log in', () => {
    const options = { token: 'x' }
    const refused = (given: VaultOptions, message: RegExp) =>
      assert.throws(() => new VaultKeyManagementSystem(given), { code: 'invalid_configuration', message })
    refused({ ...options, address: 'http://vault.example:8200' }, /^address: must be https/)
    refused({ ...options, address: 'ftp://vault.example' }, /^address: must be an http\(s\) URL/)
    refused({ address: vault.url }, /needs roleId and secretId, kubernetesRole or token/)
    refused({ address: vault.url, roleId: 'role', token: 'x' }, /AppRole needs both/)
    assert.ok(new VaultKeyManagementSystem({ ...options, address: 'http://vault.example', allowHttp: true }))
  })
})
