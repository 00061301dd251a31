import assert from 'node:assert/strict'
import { DirectSecp256k1HdWallet } from '@cosmjs/proto-signing'
import { Secp256k1, Secp256k1Signature, sha256, stringToPath } from '@cosmjs/crypto'
import { parseOptions } from '@vidimus/core-types'
import { PayerAccount } from '../payer.js'
import { PayerOptions } from '../payer-options.js'

const WORDS = `${'abandon '.repeat(11)}about`
const open = (options: unknown) => PayerAccount.of(parseOptions(PayerOptions, options))

describe('payer', () => {
  for (const hdPath of ["m/44'/118'/0'/0/0", "m/44'/118'/1'/0/7"]) {
    it(`uses the account that wallets derive at ${hdPath}`, async () => {
      const payer = await open({ mnemonic: WORDS, hdPath }).open()
      const wallet = await DirectSecp256k1HdWallet.fromMnemonic(WORDS, {
        prefix: 'cheqd',
        hdPaths: [stringToPath(hdPath)],
      })
      const [account] = await wallet.getAccounts()
      assert.equal(payer.address, account?.address)
      assert.deepEqual(payer.publicKey, account?.pubkey)
      const bytes = Buffer.from('a transaction')
      const signature = Secp256k1Signature.fromFixedLength(await payer.sign(bytes))
      assert.ok(Secp256k1.verifySignature(signature, sha256(bytes), payer.publicKey))
    })
  }

  it('signs correctly whatever the leading bytes of the signature', async () => {
    const payer = await open({ mnemonic: WORDS }).open()
    const beginnings = { r: 0, s: 0 }
    for (let n = 0; n < 600; n++) {
      const bytes = Buffer.from(`transaction ${n}`)
      const signature = await payer.sign(bytes)
      assert.equal(signature.length, 64)
      const read = Secp256k1Signature.fromFixedLength(signature)
      assert.ok(Secp256k1.verifySignature(read, sha256(bytes), payer.publicKey), `transaction ${n}`)
      if (signature[0] === 0) beginnings.r += 1
      if (signature[32] === 0) beginnings.s += 1
    }
    assert.ok(beginnings.r > 0 && beginnings.s > 0, 'both begin with a zero now and then')
  })

  it('is known immediately from a mnemonic in any spelling', () => {
    const expected = open({ mnemonic: WORDS }).known?.address
    assert.match(expected ?? '', /^cheqd1/)
    assert.equal(
      open({ mnemonic: `  ${WORDS.toUpperCase().replaceAll(' ', '\n')}\n` }).known?.address,
      expected,
    )
  })

  for (const [why, mnemonic] of [
    ['an unknown word', WORDS.replace('about', 'sekritword')],
    ['inconsistent words', 'abandon '.repeat(12)],
    ['too few words', 'abandon about'],
    ['nothing', ''],
  ] as const) {
    it(`refuses ${why} without repeating it`, () => {
      assert.throws(
        () => open({ mnemonic }),
        (error: Error & { code?: string; details?: unknown }) => {
          assert.equal(error.code, 'invalid_configuration')
          const shown = JSON.stringify([error.message, error.details, String(error.cause)])
          assert.ok(!/abandon|about|sekritword/.test(shown))
          return true
        },
      )
    })
  }

  it('refuses an unknown path and unknown members', () => {
    assert.throws(() => open({ mnemonic: WORDS, hdPath: 'somewhere' }), /hdPath: must be a BIP-32 path/)
    assert.throws(() => open({ mnemonic: WORDS, passphrase: 'x' }), /passphrase/)
    assert.throws(() => open({ hdPath: "m/44'" }), /mnemonic: is required/)
    assert.throws(() => open({ kms: {}, kid: 'a' }), /kms: must be a key management system/)
    assert.throws(() => open({ kms: { sign: () => '' } }), /kid: is required/)
  })

  describe('in a key management system', () => {
    const keypair = Secp256k1.makeKeypair(sha256(Buffer.from('any key')))
    const publicKeyHex = Buffer.from(keypair.pubkey).toString('hex')
    const signing = (change: (signature: Buffer) => Buffer = (signature) => signature) => ({
      sign: ({ data }: { data: Uint8Array }) => {
        const made = Secp256k1.createSignature(sha256(data), keypair.privkey)
        const fixed = Buffer.concat([made.r(32), made.s(32)])
        return Promise.resolve(change(fixed).toString('base64url'))
      },
    })

    it('is found by its kid or its public key', async () => {
      const listing = { ...signing(), listKeys: () => Promise.resolve([{ kid: 'k', publicKeyHex }]) }
      const found = await open({ kms: listing, kid: 'k' }).open()
      const named = await open({ kms: signing(), kid: 'k', publicKeyHex }).open()
      assert.equal(found.address, named.address)
      await assert.rejects(
        open({ kms: listing, kid: 'other' }).open(),
        /payer\.kid: the key other cannot pay/,
      )
      await assert.rejects(open({ kms: signing(), kid: 'k' }).open(), /does not have this key/)
    })

    it('is looked up again after a failure', async () => {
      let answers = false
      const listKeys = () =>
        answers ? Promise.resolve([{ kid: 'k', publicKeyHex }]) : Promise.reject(new Error('away'))
      const account = open({ kms: { ...signing(), listKeys }, kid: 'k' })
      await assert.rejects(account.open(), /set publicKeyHex/)
      answers = true
      assert.ok(await account.open())
      assert.match(account.known?.address ?? '', /^cheqd1/)
    })

    it('refuses a signature of another key', async () => {
      const payer = await open({ kms: signing(() => Buffer.alloc(64, 1)), kid: 'k', publicKeyHex }).open()
      await assert.rejects(payer.sign(Buffer.from('x')), /its signature does not match its public key/)
      const short = await open({ kms: signing((made) => made.subarray(1)), kid: 'k', publicKeyHex }).open()
      await assert.rejects(short.sign(Buffer.from('x')), /does not match|is invalid/)
    })
  })
})
