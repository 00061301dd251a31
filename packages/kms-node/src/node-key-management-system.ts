import { sign as signNatively, type KeyObject } from 'node:crypto'
import type { IKey, ManagedKeyInfo, MinimalImportableKey, TKeyType } from '@veramo/core-types'
import type { AbstractPrivateKeyStore, ManagedPrivateKey } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import {
  AgentError,
  Cache,
  currentCaller,
  isAgentError,
  parseOptions,
  problemsError,
  requireSigningAlgorithm,
  type HasKmsAbilities,
  type KmsAbilities,
  type ErrorCode,
} from '@vidimus/core-types'
import {
  isOfLowOrder,
  privateKeyBytes,
  toLowS,
  isKeyType,
  readPrivateKey,
} from '@vidimus/verification-methods'
import { z } from 'zod'
import { nativeKeyType, nativeKeyTypeNames, type NativeKeyType } from './native-keys.js'

/** There are none; an earlier option is refused with its replacement. */
const Options = z.strictObject({})

interface SigningKey {
  type: TKeyType
  key: KeyObject
  /** which key of this kid it is: a kid can be deleted and given to another key */
  publicKeyHex: string | undefined
}

type KeyRef = Pick<IKey, 'kid'> & Partial<Pick<IKey, 'publicKeyHex'>>

/**
 * Veramo's local KMS with the work of Ed25519, P-256 and secp256k1 done by node:crypto, in the same formats, and without
 * Ethereum's algorithms and `ES256K-R`. Key agreement stays with the base class.
 */
export class NodeKeyManagementSystem extends KeyManagementSystem implements HasKmsAbilities {
  private readonly privateKeys: AbstractPrivateKeyStore
  // Building a KeyObject costs more than a signature. The key store checks whether the account still holds the key;
  // the key manager asks it before every signature.
  private readonly signingKeys = new Cache<SigningKey>('key')

  /** @param keyStore - has the private keys; it need not know of accounts */
  constructor(keyStore: AbstractPrivateKeyStore, options: object = {}) {
    parseOptions(Options, options)
    super(keyStore)
    this.privateKeys = keyStore
  }

  abilities(): KmsAbilities {
    return { keyTypes: nativeKeyTypeNames(), importsKeys: true }
  }

  /**
   * @param args - `kid` defaults to the public key
   * @throws AgentError `invalid_input`, `key_mismatch`; what the store throws
   */
  override async importKey(args: Omit<MinimalImportableKey, 'kms'>): Promise<ManagedKeyInfo> {
    const { type, native, privateKeyHex, publicKeyHex } = checkPrivateKey(args)
    return this.storeKey(
      { alias: chosenKid(args.kid) ?? publicKeyHex, type, privateKeyHex },
      native,
      publicKeyHex,
    )
  }

  /** @throws AgentError `invalid_input` for an unknown type; what the store throws */
  override async createKey({ type, kid }: { type: TKeyType; kid?: string }): Promise<ManagedKeyInfo> {
    const native = nativeKeyType(type)
    if (!native) {
      const message = `must be one of ${nativeKeyTypeNames().join(', ')}`
      throw new AgentError('invalid_input', `type: ${message}`, { details: [{ path: 'type', message }] })
    }
    const { privateKeyHex, publicKeyHex, keyObject: key } = native.generate()
    const alias = chosenKid(kid) ?? publicKeyHex
    const made = await this.storeKey({ alias, type, privateKeyHex }, native, publicKeyHex)
    // A new key is usually used at once. Those of other types would have to be read for it, and X25519 does not sign.
    if (type === 'Ed25519' && key) this.signingKeys.set(cacheName(alias), { type, key, publicKeyHex })
    return made
  }

  override async listKeys(): Promise<ManagedKeyInfo[]> {
    const stored = await this.privateKeys.listKeys({})
    return stored.flatMap(({ alias, type, privateKeyHex }) => {
      const native = nativeKeyType(type)
      if (!native) return []
      const [publicKeyHex] = native.publicKeysHex(privateKeyBytes(privateKeyHex))
      return [managedKey(alias, type, publicKeyHex, native)]
    })
  }

  override async deleteKey({ kid }: { kid: string }): Promise<boolean> {
    const deleted = await this.privateKeys.deleteKey({ alias: kid })
    this.forget(kid)
    return deleted
  }

  /**
   * @param args - `keyRef` as the key store has it; with its public key, later signatures need no store
   * @returns base64url as JOSE has it
   * @throws AgentError `key_not_found`; `invalid_input` for other algorithms than {@link SIGNING_ALGORITHMS}; any other
   * failure of the store as it is
   */
  override async sign(args: { keyRef: KeyRef; algorithm?: string; data: Uint8Array }): Promise<string> {
    const { keyRef, algorithm, data } = args
    const { type, key } = await this.signingKey(keyRef)
    requireSigningAlgorithm(algorithm, type)
    if (type === 'Ed25519') return signNatively(null, data, key).toString('base64url')
    const signature = signNatively('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
    return (type === 'Secp256k1' ? toLowS(signature) : signature).toString('base64url')
  }

  override async sharedSecret(args: {
    myKeyRef: Pick<IKey, 'kid'>
    theirKey: Pick<IKey, 'type' | 'publicKeyHex'>
  }): Promise<string> {
    // The base class reports every failure of the store as a missing key; asked here first, they keep their names.
    await this.storedKey(args.myKeyRef.kid)
    demandKeyOfSomebody(args.theirKey)
    return super.sharedSecret(args)
  }

  private async storeKey(
    key: ManagedPrivateKey,
    native: NativeKeyType,
    publicKeyHex: string,
  ): Promise<ManagedKeyInfo> {
    await this.privateKeys.importKey(key)
    this.forget(key.alias)
    return managedKey(key.alias, key.type, publicKeyHex, native)
  }

  private async signingKey({ kid, publicKeyHex }: KeyRef): Promise<SigningKey> {
    const name = cacheName(kid)
    const cached = publicKeyHex === undefined ? undefined : this.signingKeys.get(name)
    if (cached && cached.publicKeyHex === publicKeyHex) return cached
    const { type, privateKeyHex } = await this.storedKey(kid)
    const native = nativeKeyType(type)
    if (!native) throw new AgentError('invalid_input', `keyRef: a key of type ${type} does not sign`)
    const signingKey = { type, key: native.keyObject(privateKeyHex), publicKeyHex }
    if (publicKeyHex !== undefined) this.signingKeys.set(name, signingKey)
    return signingKey
  }

  private async storedKey(kid: string): Promise<ManagedPrivateKey> {
    const stored = await this.privateKeys.getKey({ alias: kid }).catch((cause: unknown) => {
      if (!isNotFound(cause)) throw cause
      throw new AgentError('key_not_found', `key "${kid}": its private key is missing`, { cause })
    })
    // The response of Veramo's own store if its SecretBox has another key than the one that sealed.
    if (stored.privateKeyHex === '') {
      throw new AgentError('wrong_secret', `key "${kid}": its private key was encrypted with another secret`)
    }
    return stored
  }

  private forget(kid: string): void {
    this.signingKeys.delete(cacheName(kid))
  }
}

const managedKey = (
  kid: string,
  type: TKeyType,
  publicKeyHex: string,
  native: NativeKeyType,
): ManagedKeyInfo =>
  ({
    type,
    kid,
    publicKeyHex,
    meta: { algorithms: [...native.algorithms] },
  }) as ManagedKeyInfo

/** An empty kid means none, as in kms-local. */
const chosenKid = (kid: string | undefined) => (kid === '' || kid === null ? undefined : kid)

/** With a point of low order the secret is the same for everyone. */
function demandKeyOfSomebody({ type, publicKeyHex }: Pick<IKey, 'type' | 'publicKeyHex'>): void {
  if (!isOfLowOrder(type, Buffer.from(String(publicKeyHex), 'hex'))) return
  const message = `is a point of low order, which is not a valid ${type} key`
  throw problemsError('invalid_input', [{ path: 'theirKey.publicKeyHex', message }])
}

/** Accounts may hold different keys under one kid; stores without accounts work outside of any scope. */
const cacheName = (kid: string) => `${currentCaller()?.account.id ?? ''} ${kid}`

/** Veramo's stores know no codes, only these words. */
const isNotFound = (error: unknown) =>
  isAgentError(error)
    ? error.code === 'key_not_found'
    : error instanceof Error && /^(not_found\b|key_not_found\b|Key not found$)/.test(error.message)

/** A private key that was checked. */
interface CheckedPrivateKey {
  type: TKeyType
  native: NativeKeyType
  /** lower case; for Ed25519 either 32 bytes or 64 */
  privateKeyHex: string
  publicKeyHex: string
}

/**
 * Checks an external private key. No error repeats any part of it.
 *
 * @throws AgentError `invalid_input` if it is not a private key of the type, `key_mismatch` if its public half or the
 *   accompanying public key belongs to another
 */
function checkPrivateKey(input: {
  type?: TKeyType
  privateKeyHex?: string
  publicKeyHex?: string
}): CheckedPrivateKey {
  const { type, privateKeyHex = '', publicKeyHex } = input
  const native = typeof type === 'string' ? nativeKeyType(type) : undefined
  if (type === undefined || native === undefined || !isKeyType(type)) {
    throw problem('invalid_input', 'type', `must be one of ${nativeKeyTypeNames().join(', ')}`)
  }
  const read = readPrivateKey(type, privateKeyHex)
  if ('problem' in read) {
    throw problem(read.isMismatch ? 'key_mismatch' : 'invalid_input', 'privateKeyHex', read.problem)
  }
  const [derived, ...alternatives] = read.publicKeysHex
  if (publicKeyHex !== undefined && publicKeyHex !== '') {
    const claimed = String(publicKeyHex).toLowerCase()
    if (![derived, ...alternatives].includes(claimed)) {
      throw problem('key_mismatch', 'publicKeyHex', 'does not match the private key')
    }
  }
  return { type, native, privateKeyHex: privateKeyHex.toLowerCase(), publicKeyHex: derived }
}

const problem = (code: ErrorCode, path: string, message: string) =>
  new AgentError(code, `${path}: ${message}`, { details: [{ path, message }] })
