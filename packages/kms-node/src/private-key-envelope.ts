import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  AgentError,
  hasMethods,
  parseOptions,
  type KeyEnvelope,
  type SecretReplacement,
} from '@vidimus/core-types'
import { z } from 'zod'
import { GivenSecrets } from './given-secrets.js'
import { KEY_ID_LENGTH, SealingKey } from './sealing-key.js'
import { SECRET_PATTERN, SECRET_SHAPE } from './secret-shape.js'
import type { Secrets } from './secrets.js'

const Secret = z.string().regex(SECRET_PATTERN, `must be ${SECRET_SHAPE}`)

export const Options = z
  .strictObject({
    secret: Secret.optional(),
    previous: z.array(Secret).default([]),
    secrets: z.custom<Secrets>(isSecrets, 'must be what loadSecrets gives').optional(),
  })
  .refine(({ secret, secrets }) => (secret === undefined) !== (secrets === undefined), {
    message: 'needs either secret or secrets',
  })

export interface PrivateKeyEnvelopeOptions {
  /** 32 bytes in hex */
  secret?: string
  /** beside `secret`: earlier ones whose texts are still to be opened */
  previous?: string[]
  /** in place of `secret`: what `loadSecrets` gives */
  secrets?: Secrets
}

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD = /^v1\.([\w-]{8})\./
const SEALED = /^v1\.([\w-]{8})\.([\w-]{16})\.([\w-]{22,})$/

/**
 * Seals private keys with AES-256-GCM under a key derived from the secret by HKDF-SHA256 (RFC 5869).
 *
 * A sealed text is `v1.<key id>.<nonce>.<ciphertext and tag>`, its parts base64url without padding. The version, the
 * key id and the context are authenticated with it: a text moved to another account or alias does not open.
 */
export class PrivateKeyEnvelope implements KeyEnvelope {
  readonly headLength = VERSION.length + KEY_ID_LENGTH + 2
  readonly origin: string
  readonly makesSecrets: boolean
  readonly replacement: SecretReplacement = {
    begin: async (secret) => {
      const begun = await this.#secrets.begin(secret)
      this.#readAgain()
      const [keyId = '', ...previous] = this.#known()
      return { ...begun, keyId, previous }
    },
    finish: async (options) => {
      const finished = await this.#secrets.finish(options)
      this.#readAgain()
      return finished
    },
  }

  readonly #secrets: Secrets
  // Removed secrets are kept until the process ends: a text may have been read just before it was re-sealed.
  readonly #keys = new Map<string, SealingKey>()
  #current: readonly string[] = []
  #read: readonly string[] = []

  /** @throws AgentError `invalid_configuration`, without the value */
  constructor(options: PrivateKeyEnvelopeOptions) {
    const { secret, previous, secrets } = parseOptions(Options, options)
    const values = secret === undefined ? [] : [secret, ...previous]
    this.#secrets = secrets ?? new GivenSecrets(values, 'the option "secret" of the envelope')
    this.origin = this.#secrets.origin
    this.makesSecrets = this.#secrets.areMadeHere
    this.#readAgain()
  }

  get keyId(): string {
    const [first] = this.#current
    if (first === undefined) {
      throw new AgentError('wrong_secret', `there is no encryption secret in ${this.origin} yet`)
    }
    return first
  }

  get keyIds(): readonly string[] {
    return this.#known()
  }

  async prepare(): Promise<void> {
    if (this.#current.length > 0) return
    await this.#secrets.make()
    this.#readAgain()
  }

  knows(keyId: string): boolean {
    return this.#find(keyId) !== undefined
  }

  isInUse(keyId: string): boolean {
    this.#readAgain()
    return this.#current.includes(keyId)
  }

  seal(plaintext: string, context: readonly string[], keyId = this.keyId): string {
    const { key } = this.#keyOf(keyId)
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    cipher.setAAD(additionalData(keyId, context))
    const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return [VERSION, keyId, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
  }

  open(sealed: string, context: readonly string[]): string {
    const [, keyId, nonce, body] = SEALED.exec(sealed) ?? []
    if (keyId === undefined || nonce === undefined || body === undefined) {
      throw new AgentError('wrong_secret', 'a stored private key is encrypted in an unknown format')
    }
    const bytes = Buffer.from(body, 'base64url')
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.#keyOf(keyId).key,
      Buffer.from(nonce, 'base64url'),
      {
        authTagLength: TAG_BYTES,
      },
    )
    decipher.setAAD(additionalData(keyId, context))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      )
    } catch (cause) {
      throw new AgentError('wrong_secret', 'a stored private key was modified, or belongs to another owner', {
        cause,
      })
    }
  }

  isSealed(text: string): boolean {
    return SEALED.test(text)
  }

  keyIdOf(text: string): string | undefined {
    return HEAD.exec(text)?.[1]
  }

  /** The current secret first, then the others, including removed ones. */
  #known(): string[] {
    return [...new Set([...this.#current, ...this.#keys.keys()])]
  }

  #find(keyId: string): SealingKey | undefined {
    if (!this.#keys.has(keyId)) this.#readAgain()
    return this.#keys.get(keyId)
  }

  #keyOf(keyId: string): SealingKey {
    const found = this.#find(keyId)
    if (found) return found
    const known = this.#known().join(', ') || 'none'
    throw new AgentError(
      'wrong_secret',
      `a stored private key is sealed with the secret ${keyId}, but ${this.origin} holds ${known}`,
    )
  }

  #readAgain(): void {
    const secrets = this.#secrets.read()
    if (isDeepStrictEqual(secrets, this.#read)) return
    this.#read = secrets
    const keys = secrets.map((secret) => new SealingKey(secret))
    for (const key of keys) if (!this.#keys.has(key.id)) this.#keys.set(key.id, key)
    // Removing the file of a running service does not remove its secret from memory.
    if (keys.length > 0) this.#current = keys.map(({ id }) => id)
  }
}

// JSON keeps the parts apart: ["a", "b:c"] is not ["a:b", "c"].
const additionalData = (keyId: string, context: readonly string[]): Buffer =>
  Buffer.from(JSON.stringify([VERSION, keyId, ...context]))

function isSecrets(value: unknown): boolean {
  return hasMethods(value, 'read', 'make', 'begin', 'finish')
}
