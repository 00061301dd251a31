import type { IKey, ManagedKeyInfo, TKeyType } from '@veramo/core-types'
import { AbstractKeyManagementSystem } from '@veramo/key-manager'
import {
  AgentError,
  Cache,
  currentCaller,
  demandKeyType,
  memoryOf,
  parseOptions,
  problemsError,
  requireSigningAlgorithm,
  SIGNING_ALGORITHMS,
  type ErasesKeys,
  type HasKmsAbilities,
  type HasLifecycle,
  type KmsAbilities,
  type Lifecycle,
} from '@vidimus/core-types'
import { toLowS } from '@vidimus/verification-methods'
import type { Session } from './connection.js'
import { loadCryptoki, type Handle, type LoadCryptoki } from './cryptoki.js'
import { examineToken, readKeyTypes } from './examine-token.js'
import { KEY_TYPES, type KeyTypeOnToken } from './key-types.js'
import { Options, type Pkcs11Options } from './options.js'
import { tokenReturnValue } from './refusals.js'
import { Token } from './token.js'
import {
  destroyKeyPair,
  findPrivateKey,
  keysLabelled,
  labelled,
  makeKeyPair,
  signature,
  withPublicKey,
} from './token-keys.js'

type KeyRef = Pick<IKey, 'kid'> & Partial<Pick<IKey, 'publicKeyHex' | 'type'>>

/** A cached handle is invalid: the key was deleted, or the token came back with other handles. */
const STALE = new Set(['CKR_KEY_HANDLE_INVALID', 'CKR_OBJECT_HANDLE_INVALID'])

/**
 * Keys in a PKCS#11 token: created in it, used in it, and never outside of it, so that neither the database nor a
 * backup of it contains a private key. It is only reached through the key manager, which checks before every
 * signature whether the account holds the key.
 */
export class Pkcs11KeyManagementSystem
  extends AbstractKeyManagementSystem
  implements HasLifecycle, HasKmsAbilities, ErasesKeys
{
  private readonly token: Token
  private readonly handles = new Cache<Handle>('token-key', { sizeOf: memoryOf })
  readonly lifecycle: Lifecycle

  /** @throws AgentError `invalid_configuration` */
  constructor(options: Pkcs11Options, load: LoadCryptoki = loadCryptoki) {
    super()
    this.token = new Token(parseOptions(Options, options), load)
    this.lifecycle = {
      check: async () => [await this.token.check()],
      diagnose: () => examineToken(this.token),
      stop: () => this.token.stop(),
    }
  }

  /** @throws AgentError `unavailable` while the token does not respond */
  async abilities(): Promise<KmsAbilities> {
    return { keyTypes: await readKeyTypes(this.token), importsKeys: false }
  }

  /**
   * Creates a key in the token. If the token did not respond in time, an unreferenced key may stay there.
   *
   * @throws AgentError `invalid_input` for an unsupported type, `unavailable` while the token cannot create it
   */
  async createKey({ type, kid }: { type: TKeyType; kid?: string }): Promise<ManagedKeyInfo> {
    const known = keyType(type)
    const prefix = labelPrefix()
    // An empty kid means none, as in kms-local.
    const named = kid === '' ? undefined : kid
    const publicKeyHex = await this.during((session) =>
      makeKeyPair(session, known, (made) => prefix + (named ?? made)),
    )
    return managedKey(named ?? publicKeyHex, known, publicKeyHex)
  }

  /** @throws AgentError `invalid_input`: a key that was outside of the token is not one that never leaves it */
  importKey(): Promise<ManagedKeyInfo> {
    const message = 'this KMS creates its keys in a PKCS#11 token and does not import keys'
    return Promise.reject(problemsError('invalid_input', [{ path: 'privateKeyHex', message }]))
  }

  /** The keys that the account has made in the token. */
  async listKeys(): Promise<ManagedKeyInfo[]> {
    const prefix = labelPrefix()
    const keys = await this.during((session) => Promise.resolve(keysLabelled(session, prefix)))
    return keys.map(({ label, type, publicKeyHex }) =>
      managedKey(label.slice(prefix.length), type, publicKeyHex),
    )
  }

  erasureName({ publicKeyHex }: Pick<IKey, 'publicKeyHex'>): string {
    return publicKeyHex
  }

  async eraseKey(publicKeyHex: string, account: string): Promise<void> {
    await this.token.during(account, (session) =>
      Promise.resolve(destroyKeyPair(session, withPublicKey(publicKeyHex))),
    )
  }

  /**
   * Erases a key at once. The service deletes keys by {@link eraseKey}.
   *
   * @returns whether the account had it in the token
   */
  async deleteKey({ kid }: { kid: string }): Promise<boolean> {
    const label = labelPrefix() + kid
    return this.during((session) => Promise.resolve(destroyKeyPair(session, labelled(label))))
  }

  /**
   * Signs in the token.
   *
   * @param args - `keyRef` as the key store has it; the key is found by its public half, not by its name
   * @returns base64url as JOSE has it: 64 bytes
   * @throws AgentError `key_not_found`, `invalid_input` for other algorithms than {@link SIGNING_ALGORITHMS}, `unavailable`
   */
  async sign({
    keyRef,
    algorithm,
    data,
  }: {
    keyRef: KeyRef
    algorithm?: string
    data: Uint8Array
  }): Promise<string> {
    const { kid, publicKeyHex, type } = keyRef
    if (publicKeyHex === undefined || type === undefined) throw notInToken(kid)
    const known = keyType(type)
    requireSigningAlgorithm(algorithm, type)
    const signed = await this.during((session) =>
      this.signatureBy(session, known, { kid, publicKeyHex }, data),
    )
    return (type === 'Secp256k1' ? toLowS(signed) : signed).toString('base64url')
  }

  /** @throws AgentError `invalid_input`: keys in the token sign, and agree on nothing */
  sharedSecret(): Promise<string> {
    const message = 'key agreement is not supported with a key in a PKCS#11 token'
    return Promise.reject(problemsError('invalid_input', [{ path: 'myKeyRef', message }]))
  }

  private async signatureBy(
    session: Session,
    type: KeyTypeOnToken,
    { kid, publicKeyHex }: { kid: string; publicKeyHex: string },
    data: Uint8Array,
  ): Promise<Buffer> {
    const remembered = this.handles.get(publicKeyHex)
    if (remembered) {
      try {
        return await signature(session, type, remembered, data)
      } catch (error) {
        if (!STALE.has(tokenReturnValue(error) ?? '')) throw error
        this.handles.delete(publicKeyHex)
      }
    }
    const found = findPrivateKey(session, publicKeyHex)
    if (!found) throw notInToken(kid)
    this.handles.set(publicKeyHex, found)
    return signature(session, type, found, data)
  }

  private during<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.token.during(accountInScope(), work)
  }
}

const keyType = (type: string): KeyTypeOnToken => demandKeyType(KEY_TYPES, type, 'in a PKCS#11 token')

const notInToken = (kid: string) =>
  new AgentError('key_not_found', `key "${kid}": its private key is not in the PKCS#11 token`)

const managedKey = (kid: string, { type }: KeyTypeOnToken, publicKeyHex: string): ManagedKeyInfo =>
  ({ type, kid, publicKeyHex, meta: { algorithms: [...SIGNING_ALGORITHMS[type]] } }) as ManagedKeyInfo

const accountInScope = (): string => currentCaller()?.account.id ?? ''

/** Accounts may give one name to different keys. */
const labelPrefix = (): string => `vidimus/${accountInScope()}/`
