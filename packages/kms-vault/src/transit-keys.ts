import { randomUUID } from 'node:crypto'
import { AgentError, isJsonObject } from '@vidimus/core-types'
import { KEY_TYPES, type TransitKeyType } from './key-types.js'
import type { ParsedOptions } from './options.js'
import { VaultRefusal, type JsonObject } from './vault-api.js'
import type { VaultSession } from './vault-session.js'

/** A key in the transit engine. */
export interface TransitKey {
  name: string
  type: TransitKeyType
  publicKeyHex: string
}

/** The keys of accounts in a transit engine. Each has one version, whose name begins with the id of its account. */
export class TransitKeys {
  constructor(
    private readonly session: VaultSession,
    private readonly options: ParsedOptions,
  ) {}

  /** The prefix of the names of an account's keys. */
  prefix(account: string): string {
    return `${this.options.keyPrefix}-${account}-`
  }

  async create(account: string, type: TransitKeyType): Promise<TransitKey> {
    const name = this.prefix(account) + randomUUID()
    const body = { type: type.transit, exportable: false, allow_plaintext_backup: false }
    await this.send(account, 'POST', `keys/${name}`, body)
    const key = await this.read(account, name)
    if (key?.type === type) return key
    throw new AgentError('unavailable', `the key service created a key that is not a ${type.type} key`)
  }

  /** @returns `undefined` if there is none, or one that is not used here */
  async read(account: string, name: string): Promise<TransitKey | undefined> {
    const answer = await this.send(account, 'GET', `keys/${name}`).catch(undefinedWhereNotFound)
    const { type: transit, keys } = answerData(answer)
    const type = KEY_TYPES.find((one) => one.transit === transit)
    const [newest] = isJsonObject(keys) ? Object.values(keys).slice(-1) : []
    if (!type || !isJsonObject(newest) || typeof newest.public_key !== 'string') return undefined
    const publicKeyHex = type.publicKeyHex(newest.public_key)
    return publicKeyHex === undefined ? undefined : { name, type, publicKeyHex }
  }

  /** The names of an account's keys. */
  async names(account: string): Promise<string[]> {
    const answer = await this.send(account, 'GET', 'keys?list=true').catch(undefinedWhereNotFound)
    if (!answer) return []
    const { keys } = answerData(answer)
    if (!Array.isArray(keys)) throw new AgentError('unavailable', 'the key service responded without a list')
    const prefix = this.prefix(account)
    return keys.map(String).filter((name) => name.startsWith(prefix))
  }

  /** @returns 64 bytes: of Ed25519 as RFC 8032 has them, else r and s */
  async sign(account: string, name: string, type: TransitKeyType, data: Uint8Array): Promise<Buffer> {
    const input = Buffer.from(data).toString('base64')
    const answer = await this.send(account, 'POST', `sign/${name}`, { ...type.signing, input })
    const { signature } = answerData(answer)
    // `vault:v1:...`: the engine's mark, the version of the key, and the signature
    const text = typeof signature === 'string' ? signature.split(':')[2] : undefined
    if (text === undefined)
      throw new AgentError('unavailable', 'the key service responded without a signature')
    return type.signature(text)
  }

  /** May be repeated: an earlier attempt may have had its effect, and lost its answer. */
  async erase(account: string, name: string): Promise<void> {
    if (!(await this.read(account, name))) return
    await this.send(account, 'POST', `keys/${name}/config`, { deletion_allowed: true })
    await this.send(account, 'DELETE', `keys/${name}`)
  }

  private send(
    account: string,
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: JsonObject,
  ): Promise<JsonObject> {
    return this.session.send(account, {
      method,
      path: `${this.options.mount}/${path}`,
      ...(body && { body }),
    })
  }
}

function undefinedWhereNotFound(error: unknown): undefined {
  if (error instanceof VaultRefusal && error.isNotFound) return undefined
  throw error
}

const answerData = (answer: JsonObject | undefined): JsonObject =>
  isJsonObject(answer?.data) ? answer.data : {}
