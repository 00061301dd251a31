import { pbkdf2Sync } from 'node:crypto'
import { rawSecp256k1PubkeyToRawAddress } from '@cosmjs/amino'
import { Secp256k1, Secp256k1Signature, sha256, Slip10, Slip10Curve, stringToPath } from '@cosmjs/crypto'
import { fromHex, toBech32 } from '@cosmjs/encoding'
import { AgentError, whoeverWaits } from '@vidimus/core-types'
import type { PayerKeys, PayerSettings } from './payer-options.js'

/** The account that pays, ready to sign. */
export interface Payer {
  address: string
  /** compressed, 33 bytes */
  publicKey: Uint8Array
  /** @returns 64 bytes: r and s over the SHA-256 of the bytes, s in the lower half */
  sign(bytes: Uint8Array): Promise<Uint8Array>
}

const PREFIX = 'cheqd'
/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The payer's account: known at once from a mnemonic, whose words are not kept, and after asking a KMS. */
export class PayerAccount {
  /** the payer, as soon as it is known */
  known: Payer | undefined
  private opening: Promise<Payer> | undefined

  constructor(private readonly find: () => Promise<Payer>) {}

  static of(settings: PayerSettings): PayerAccount {
    if ('kms' in settings) return new PayerAccount(() => fromKms(settings))
    const payer = fromMnemonic(settings.mnemonic, settings.hdPath)
    const account = new PayerAccount(() => Promise.resolve(payer))
    account.known = payer
    return account
  }

  /** @throws AgentError `invalid_configuration`; what the KMS throws. It is retried with the next call. */
  open(): Promise<Payer> {
    this.opening ??= whoeverWaits(this.find).then(
      (payer) => (this.known = payer),
      (error: unknown) => {
        this.opening = undefined
        throw error
      },
    )
    return this.opening
  }
}

function fromMnemonic(mnemonic: string, hdPath: string): Payer {
  // BIP-39: 2048 rounds of PBKDF2 with HMAC-SHA512, here without a passphrase
  const seed = pbkdf2Sync(mnemonic, 'mnemonic', 2048, 64, 'sha512')
  const { privkey } = Slip10.derivePath(Slip10Curve.Secp256k1, seed, stringToPath(hdPath))
  const publicKey = Secp256k1.compressPubkey(Secp256k1.makeKeypair(privkey).pubkey)
  return {
    address: payerAddress(publicKey),
    publicKey,
    sign: (bytes) => {
      const signature = Secp256k1.createSignature(sha256(bytes), privkey)
      // Its own form of fixed length has a 65th byte, from which the public key can be recovered.
      return Promise.resolve(Buffer.concat([signature.r(32), signature.s(32)]))
    },
  }
}

interface KmsPayer {
  kms: PayerKeys
  kid: string
  publicKeyHex?: string | undefined
}

async function fromKms({ kms, kid, publicKeyHex }: KmsPayer): Promise<Payer> {
  const publicKey = compressed(publicKeyHex ?? (await readPublicKey(kms, kid)))
  const sign = async (bytes: Uint8Array): Promise<Uint8Array> => {
    const text = await kms.sign({ keyRef: { kid }, algorithm: 'ES256K', data: bytes })
    const signature = lowS(Buffer.from(text, 'base64url'))
    if (!signature || !fits(signature, bytes, publicKey))
      throw mistaken(kid, 'its signature does not match its public key')
    return signature
  }
  return { address: payerAddress(publicKey), publicKey, sign }
}

async function readPublicKey(kms: PayerKeys, kid: string): Promise<string> {
  const keys = await kms.listKeys?.().catch((cause: unknown) => {
    throw mistaken(kid, 'the key management system does not list its keys: set publicKeyHex', cause)
  })
  const key = keys?.find((candidate) => candidate.kid === kid)
  if (!key) throw mistaken(kid, 'the key management system does not have this key')
  return key.publicKeyHex
}

function compressed(publicKeyHex: string): Uint8Array {
  try {
    return Secp256k1.compressPubkey(fromHex(publicKeyHex))
  } catch {
    throw new AgentError('invalid_configuration', 'payer.publicKeyHex: is not a secp256k1 public key')
  }
}

const payerAddress = (publicKey: Uint8Array): string =>
  toBech32(PREFIX, rawSecp256k1PubkeyToRawAddress(publicKey))

/** The chain only accepts one of the two forms of a signature, and hardware modules create both. */
function lowS(signature: Buffer): Uint8Array | undefined {
  if (signature.length !== 64) return undefined
  const s = BigInt(`0x${signature.subarray(32).toString('hex')}`)
  if (s <= ORDER / 2n) return signature
  const low = (ORDER - s).toString(16).padStart(64, '0')
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(low, 'hex')])
}

function fits(signature: Uint8Array, bytes: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return Secp256k1.verifySignature(Secp256k1Signature.fromFixedLength(signature), sha256(bytes), publicKey)
  } catch {
    return false
  }
}

const mistaken = (kid: string, problem: string, cause?: unknown): AgentError =>
  new AgentError('invalid_configuration', `payer.kid: the key ${kid} cannot pay: ${problem}`, {
    ...(cause === undefined ? {} : { cause }),
  })
