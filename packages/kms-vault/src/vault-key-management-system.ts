import type { IKey, KeyMetadata, ManagedKeyInfo, TKeyType } from '@veramo/core-types'
import { AbstractKeyManagementSystem } from '@veramo/key-manager'
import {
  AgentError,
  currentCaller,
  demandKeyType,
  log,
  parseOptions,
  problemsError,
  requireSigningAlgorithm,
  type CheckResult,
  type ErasesKeys,
  type Finding,
  type HasKmsAbilities,
  type HasLifecycle,
  type KmsAbilities,
  type Lifecycle,
} from '@vidimus/core-types'
import { isSignatureOf, KEY_TYPES, type TransitKeyType } from './key-types.js'
import { Options, type ParsedOptions, type VaultOptions } from './options.js'
import { TransitKeys, type TransitKey } from './transit-keys.js'
import { VaultApi, VaultRefusal } from './vault-api.js'
import { VaultSession } from './vault-session.js'

type KeyRef = Pick<IKey, 'kid'> & Partial<Pick<IKey, 'publicKeyHex' | 'type' | 'meta'>>

const CHECK = 'vault'

/**
 * Keys in the transit engine of OpenBao or HashiCorp Vault: created in it, used in it, and never outside of it. It
 * receives the data to be signed, not its hash. It is only reached through the key manager, which checks before every
 * signature whether the account holds the key.
 */
export class VaultKeyManagementSystem
  extends AbstractKeyManagementSystem
  implements HasLifecycle, HasKmsAbilities, ErasesKeys
{
  private readonly options: ParsedOptions
  private readonly session: VaultSession
  private readonly keys: TransitKeys
  readonly lifecycle: Lifecycle

  /** @throws AgentError `invalid_configuration` */
  constructor(options: VaultOptions) {
    super()
    this.options = parseOptions(Options, options)
    this.session = new VaultSession(new VaultApi(this.options), this.options.login)
    this.keys = new TransitKeys(this.session, this.options)
    this.lifecycle = {
      start: () => Promise.resolve(this.start()),
      stop: () => this.session.stop(),
      check: async () => [await this.check()],
      diagnose: async () => [await this.diagnosis()],
    }
  }

  abilities(): KmsAbilities {
    return { keyTypes: KEY_TYPES.map(({ type }) => type), importsKeys: false }
  }

  /**
   * Makes a key in the engine; its name there is in `meta.vaultKey`.
   *
   * @throws AgentError `invalid_input` for a type that the engine does not make here, `unavailable`
   */
  async createKey({ type, kid }: { type: TKeyType; kid?: string }): Promise<ManagedKeyInfo> {
    const known = keyType(type)
    const key = await asRefusal(() => this.keys.create(accountInScope(), known))
    // An empty kid means none, as in kms-local.
    return managedKey(key, kid === '' ? undefined : kid)
  }

  /** @throws AgentError `invalid_input`: a key that was outside of the engine is not one that never leaves it */
  importKey(): Promise<ManagedKeyInfo> {
    const message = 'this KMS creates its keys in the key service and does not import keys'
    return Promise.reject(problemsError('invalid_input', [{ path: 'privateKeyHex', message }]))
  }

  /** The keys that the account has made in the engine. */
  async listKeys(): Promise<ManagedKeyInfo[]> {
    const keys = await asRefusal(() => this.keysOfAccount())
    return keys.map((key) => managedKey(key))
  }

  /** @throws AgentError `invalid_input` if the configuration does not allow it */
  erasureName({ publicKeyHex, meta }: Pick<IKey, 'publicKeyHex' | 'meta'>): string {
    if (!this.options.allowDeletion) {
      const message =
        'this key stays in the key service: its operator does not allow deleting keys (allowDeletion)'
      throw problemsError('invalid_input', [{ path: 'kid', message }])
    }
    return nameIn(meta) ?? publicKeyHex
  }

  /** Of another account's name nothing is erased. */
  async eraseKey(name: string, account: string): Promise<void> {
    if (name.startsWith(this.keys.prefix(account))) await asRefusal(() => this.keys.erase(account, name))
  }

  /**
   * Erases a key at once, if the configuration allows it. The service deletes keys by {@link eraseKey}.
   *
   * @param args - `kid` is the public key: the engine does not know names given by callers
   * @returns whether it was there
   * @throws AgentError `invalid_input` if keys may not be deleted
   */
  async deleteKey({ kid }: { kid: string }): Promise<boolean> {
    this.erasureName({ publicKeyHex: kid })
    const keys = await asRefusal(() => this.keysOfAccount())
    const key = keys.find(({ publicKeyHex }) => publicKeyHex === kid)
    if (key) await this.eraseKey(key.name, accountInScope())
    return key !== undefined
  }

  /**
   * Signs in the engine. The response is checked against the public key.
   *
   * @param args - `keyRef` as in the key store
   * @returns base64url in JOSE form: 64 bytes
   * @throws AgentError `key_not_found`, `invalid_input` for other algorithms than those of the key, `unavailable`
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
    const { kid, publicKeyHex, type, meta } = keyRef
    const account = accountInScope()
    const name = nameIn(meta)
    // The metadata of a key may come from a caller: only names of the account's own keys count.
    if (publicKeyHex === undefined || type === undefined || !name?.startsWith(this.keys.prefix(account))) {
      throw notThere(kid)
    }
    const known = keyType(type)
    requireSigningAlgorithm(algorithm, type)
    const signature = await asRefusal(async () => {
      try {
        return await this.keys.sign(account, name, known, data)
      } catch (error) {
        // The engine responds with 400 when a missing key is to sign, and not only then.
        const mayBeMissing = error instanceof VaultRefusal && [400, 404].includes(error.status)
        if (mayBeMissing && !(await this.keys.read(account, name))) throw notThere(kid)
        throw error
      }
    })
    if (!isSignatureOf(known.type, publicKeyHex, data, signature)) throw notThere(kid)
    return signature.toString('base64url')
  }

  /** @throws AgentError `invalid_input`: keys in the engine sign, and agree on nothing */
  sharedSecret(): Promise<string> {
    const message = 'key agreement is not supported with a key in the key service'
    return Promise.reject(problemsError('invalid_input', [{ path: 'myKeyRef', message }]))
  }

  private start(): void {
    if (this.options.allowHttp) {
      log(
        'warn',
        'allowHttp: anyone on the network path to the key service can read its token and sign with it',
      )
    }
    this.session.start()
  }

  private async keysOfAccount(): Promise<TransitKey[]> {
    const account = accountInScope()
    const keys: TransitKey[] = []
    for (const name of await this.keys.names(account)) {
      const key = await this.keys.read(account, name)
      if (key) keys.push(key)
    }
    return keys
  }

  private async check(): Promise<CheckResult> {
    try {
      await asRefusal(() => this.session.send('', { method: 'GET', path: 'auth/token/lookup-self' }))
      return { name: CHECK, ok: true }
    } catch (error) {
      return { name: CHECK, ok: false, message: (error as Error).message }
    }
  }

  private async diagnosis(): Promise<Finding> {
    const { ok, message = '' } = await this.check()
    const { address, mount } = this.options
    if (ok)
      return {
        name: CHECK,
        level: 'ok',
        message: `the key service at ${address} answers; keys are in ${mount}/`,
      }
    const advice = 'check VAULT_ADDR and the credentials, and whether the key service is unsealed'
    return { name: CHECK, level: 'fail', message, advice }
  }
}

/** The engine's refusals, reworded for callers; its own texts go to the log. */
async function asRefusal<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof VaultRefusal)) throw error
    throw new AgentError('unavailable', refusalMeaning(error), { cause: error })
  }
}

function refusalMeaning({ status }: VaultRefusal): string {
  if (status === 403) return 'the key service denied this: its policy for Vidimus lacks a permission'
  if (status === 404) return 'the key service has no transit engine at the configured mount'
  if (status === 503) return 'the key service is sealed or in maintenance'
  if (status === 429) return 'the key service is rate limiting requests'
  return `the key service cannot do this now (${status})`
}

const keyType = (type: string): TransitKeyType => demandKeyType(KEY_TYPES, type, 'in the key service')

const notThere = (kid: string) =>
  new AgentError('key_not_found', `key "${kid}": its private key is not in the key service`)

/** `kms` is added by the key manager. */
const managedKey = ({ name, type, publicKeyHex }: TransitKey, kid = publicKeyHex): ManagedKeyInfo => {
  const meta: KeyMetadata = { algorithms: [...type.algorithms], vaultKey: name }
  const key: Omit<ManagedKeyInfo, 'kms'> = { type: type.type, kid, publicKeyHex, meta }
  return key as ManagedKeyInfo
}

const nameIn = (meta: KeyMetadata | null | undefined): string | undefined => {
  const name: unknown = meta?.vaultKey
  return typeof name === 'string' && /^[\w-]+$/.test(name) ? name : undefined
}

const accountInScope = (): string => currentCaller()?.account.id ?? ''
