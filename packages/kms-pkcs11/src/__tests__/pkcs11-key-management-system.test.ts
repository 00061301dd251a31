import assert from 'node:assert/strict'
import { ed25519 } from '@noble/curves/ed25519'
import { p256 } from '@noble/curves/p256'
import { secp256k1 } from '@noble/curves/secp256k1'
import type { ManagedKeyInfo } from '@veramo/core-types'
import { runInAccountScope, type Account } from '@vidimus/core-types'
import { NO_SOFT_HSM, SoftHsm } from '../../../../test/support/soft-hsm.js'
import { until } from '../../../../test/support/until.js'
import { loadCryptoki, type Cryptoki } from '../cryptoki.js'
import { Pkcs11KeyManagementSystem, type Pkcs11Options } from '../index.js'

const TOKEN = 'vidimus-tests'
const TYPES = ['Ed25519', 'Secp256r1', 'Secp256k1'] as const
const data = Buffer.from('what is signed')
const account = (id: string): Account => ({ id, name: id, createdAt: '2026-01-01T00:00:00.000Z' })
const [acme, other] = [account('acme'), account('other')]

/** The real library, with a fault in one of its functions. */
const broken =
  (fault: Partial<Cryptoki>): typeof loadCryptoki =>
  async (library) =>
    new Proxy(await loadCryptoki(library), {
      get(target, name) {
        const own = (fault as Record<PropertyKey, unknown>)[name]
        const member = own ?? (target as unknown as Record<PropertyKey, unknown>)[name]
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })

const refusing = (value: string): never => {
  throw new Error(value)
}

describe('Pkcs11KeyManagementSystem', () => {
  let hsm: SoftHsm
  let options: Pkcs11Options
  const open: Pkcs11KeyManagementSystem[] = []

  before(async function () {
    if (SoftHsm.library() === undefined) {
      if (process.env.CI) throw new Error(NO_SOFT_HSM)
      this.skip()
    }
    hsm = await SoftHsm.withToken(TOKEN)
    options = { library: hsm.library, token: TOKEN, pin: SoftHsm.pin }
  })
  after(() => hsm?.remove())
  afterEach(() => stopAll())

  const stopAll = async (): Promise<void> => {
    for (const kms of open.splice(0)) await kms.lifecycle.stop?.()
  }
  const kmsWith = (more: Partial<Pkcs11Options> = {}, load = loadCryptoki): Pkcs11KeyManagementSystem => {
    const kms = new Pkcs11KeyManagementSystem({ ...options, ...more }, load)
    open.push(kms)
    return kms
  }
  /** A process loads a library once, so the one with a fault comes after all others have left it. */
  const faulty = async (fault: Partial<Cryptoki>, more: Partial<Pkcs11Options> = {}) => {
    await stopAll()
    return kmsWith(more, broken(fault))
  }
  const sign = (kms: Pkcs11KeyManagementSystem, key: ManagedKeyInfo, algorithm?: string) =>
    kms.sign({ keyRef: key, data, ...(algorithm !== undefined && { algorithm }) })

  const verifies = ({ type, publicKeyHex }: ManagedKeyInfo, signature: string): boolean => {
    const raw = Uint8Array.from(Buffer.from(signature, 'base64url'))
    const point = Uint8Array.from(Buffer.from(publicKeyHex, 'hex'))
    if (type === 'Ed25519') return ed25519.verify(raw, data, point)
    if (type === 'Secp256r1') return p256.verify(raw, data, point, { prehash: true })
    return secp256k1.verify(raw, data, point, { prehash: true, lowS: true })
  }

  for (const type of TYPES) {
    it(`creates ${type} keys whose signatures others verify`, async () => {
      const kms = kmsWith()
      const key = await kms.createKey({ type })
      assert.equal(key.kid, key.publicKeyHex)
      // Half of all signatures over secp256k1 have a high s.
      for (let count = 0; count < 8; count += 1) assert.ok(verifies(key, await sign(kms, key)))
    })
  }

  it('finds its keys again in another process, even if their names were reused', async () => {
    const first = await kmsWith().createKey({ type: 'Ed25519', kid: 'mine' })
    const second = await kmsWith().createKey({ type: 'Ed25519', kid: 'mine' })
    const kms = kmsWith()
    assert.ok(verifies(first, await sign(kms, first)))
    assert.ok(verifies(second, await sign(kms, second)))
  })

  it('lists and deletes only the keys of an account', async () => {
    const kms = kmsWith()
    const mine = await runInAccountScope(acme, () => kms.createKey({ type: 'Ed25519', kid: 'same' }))
    const theirs = await runInAccountScope(other, () => kms.createKey({ type: 'Secp256r1', kid: 'same' }))
    assert.deepEqual(await runInAccountScope(other, () => kms.listKeys()), [theirs])
    assert.equal(await runInAccountScope(acme, () => kms.deleteKey({ kid: 'same' })), true)
    assert.equal(await runInAccountScope(acme, () => kms.deleteKey({ kid: 'same' })), false)
    assert.ok(verifies(theirs, await sign(kms, theirs)))
    await assert.rejects(sign(kms, mine), { code: 'key_not_found' })
  })

  it('exposes no private key, even to holders of the PIN', async () => {
    const key = await kmsWith().createKey({ type: 'Ed25519' })
    const CKA_VALUE = 0x11
    const answers: string[] = []
    const kms = await faulty({
      C_SignInit(this: Cryptoki, session, mechanism, privateKey) {
        try {
          this.C_GetAttributeValue(session, privateKey, [{ type: CKA_VALUE }])
          answers.push('read')
        } catch (error) {
          answers.push((error as Error).message)
        }
        this.C_SignInit(session, mechanism, privateKey)
      },
    })
    assert.ok(verifies(key, await sign(kms, key)))
    assert.deepEqual(answers, ['CKR_ATTRIBUTE_SENSITIVE'])
  })

  it('refuses to import private keys, and says why', async () => {
    const refused = { code: 'invalid_input', message: /^privateKeyHex: .*does not import keys/ }
    await assert.rejects(kmsWith().importKey(), refused)
    await assert.rejects(kmsWith().sharedSecret(), { code: 'invalid_input' })
  })

  it('lists the supported types and algorithms', async () => {
    const kms = kmsWith()
    await assert.rejects(kms.createKey({ type: 'X25519' }), {
      code: 'invalid_input',
      message: /must be one of Ed25519, Secp256r1, Secp256k1/,
    })
    const key = await kms.createKey({ type: 'Secp256r1' })
    await assert.rejects(sign(kms, key, 'ES256K'), { code: 'invalid_input', message: /ES256/ })
    assert.ok(verifies(key, await sign(kms, key, 'ES256')))
  })

  it('is not ready while the token is away, and recovers when it is back', async () => {
    let removed = false
    const kms = await faulty({
      // SoftHSM is not a device: what a device would report is simulated here.
      C_FindObjectsInit(this: Cryptoki, ...args) {
        return removed ? refusing('CKR_DEVICE_REMOVED') : this.C_FindObjectsInit(...args)
      },
    })
    const key = await kms.createKey({ type: 'Ed25519' })
    await hsm.unplug()
    removed = true
    const absent = /no token named "vidimus-tests": it has none/
    await assert.rejects(sign(kms, key), { code: 'unavailable', message: absent })
    const [check] = (await kms.lifecycle.check?.()) ?? []
    assert.equal(check?.ok, false)
    assert.match(check?.message ?? '', absent)
    await hsm.plugIn()
    removed = false
    await until(async () => (await kms.lifecycle.check?.())?.[0]?.ok === true)
    assert.ok(verifies(key, await sign(kms, key)))
  })

  it('reopens sessions that the token has closed', async () => {
    let closed = 1
    const kms = await faulty({
      C_SignInit(this: Cryptoki, ...args) {
        closed -= 1
        return closed === 0 ? refusing('CKR_SESSION_HANDLE_INVALID') : this.C_SignInit(...args)
      },
    })
    const key = await kms.createKey({ type: 'Ed25519' })
    assert.ok(verifies(key, await sign(kms, key)))
    assert.ok(closed < 0, String(closed))
  })

  it('tries a wrong PIN once, so that the token does not lock', async () => {
    let logins = 0
    const kms = await faulty(
      {
        C_Login(this: Cryptoki, ...args) {
          logins += 1
          this.C_Login(...args)
        },
      },
      { pin: '0000' },
    )
    for (let tries = 0; tries < 3; tries += 1) {
      await assert.rejects(kms.createKey({ type: 'Ed25519' }), {
        code: 'unavailable',
        message: /rejects the PIN \(CKR_PIN_INCORRECT\); it is not retried/,
      })
    }
    assert.equal(logins, 1)
  })

  it('shares the maximum number of sessions', async () => {
    let [now, most] = [0, 0]
    const kms = await faulty(
      {
        async C_SignAsync(this: Cryptoki, ...args) {
          now += 1
          most = Math.max(most, now)
          try {
            return await this.C_SignAsync(...args)
          } finally {
            now -= 1
          }
        },
      },
      { sessions: 3 },
    )
    const key = await kms.createKey({ type: 'Ed25519' })
    const signatures = await Promise.all(
      Array.from({ length: 20 }, (_, place) =>
        runInAccountScope(place % 2 ? acme : other, () => sign(kms, key)),
      ),
    )
    assert.equal(new Set(signatures).size, 1)
    assert.equal(most, 3)
  })

  it('makes do with as many sessions as the token allows', async () => {
    let openings = 0
    const kms = await faulty(
      {
        C_OpenSession(this: Cryptoki, ...args) {
          openings += 1
          return openings > 1 ? refusing('CKR_SESSION_COUNT') : this.C_OpenSession(...args)
        },
      },
      { sessions: 4 },
    )
    const key = await kms.createKey({ type: 'Ed25519' })
    const signatures = await Promise.all(Array.from({ length: 8 }, () => sign(kms, key)))
    assert.ok(signatures.every((signature) => verifies(key, signature)))
  })

  it('times out if the token does not respond', async () => {
    const key = await kmsWith().createKey({ type: 'Ed25519' })
    const kms = await faulty({ C_SignAsync: () => new Promise(() => undefined) }, { timeoutMs: 500 })
    await assert.rejects(sign(kms, key), { code: 'unavailable', message: /did not answer within 500 ms/ })
  })

  it('reports problems with the library, the token and the options', async () => {
    const none = kmsWith({ library: '/nowhere/lib.so' })
    await assert.rejects(none.createKey({ type: 'Ed25519' }), {
      code: 'unavailable',
      message: /cannot be loaded/,
    })
    const absent = kmsWith({ token: 'somebody else' })
    await assert.rejects(absent.createKey({ type: 'Ed25519' }), {
      message: /no token named "somebody else": it has "vidimus-tests"/,
    })
    assert.throws(() => new Pkcs11KeyManagementSystem({ ...options, pin: '', sessions: 0 }), {
      code: 'invalid_configuration',
      message: /pin.*\(and 1 more\)/,
    })
  })

  it('is examined by doctor', async () => {
    const [finding, ...others] = (await kmsWith().lifecycle.diagnose?.()) ?? []
    assert.deepEqual([finding?.level, others], ['ok', []])
    assert.match(finding?.message ?? '', /SoftHSM.*Ed25519, Secp256r1, Secp256k1/)
    const [failed] = (await kmsWith({ token: 'none' }).lifecycle.diagnose?.()) ?? []
    assert.equal(failed?.level, 'fail')
  })
})
