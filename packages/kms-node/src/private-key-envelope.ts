import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { AgentError, parseOptions, type KeyEnvelope } from '@vidimus/core-types'
import { z } from 'zod'
import { SECRET_PATTERN, SECRET_SHAPE } from './secret-shape.js'

const Options = z.strictObject({ secret: z.string().regex(SECRET_PATTERN, `has to be ${SECRET_SHAPE}`) })

export interface PrivateKeyEnvelopeOptions {
  /** 32 bytes in hex */
  secret: string
}

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_BYTES = 6
const SEALED = /^v1\.([\w-]{8})\.([\w-]{16})\.([\w-]{22,})$/

/**
 * Seals private keys with AES-256-GCM under a key derived from the secret by HKDF-SHA256 (RFC 5869).
 *
 * A sealed text is `v1.<key id>.<nonce>.<ciphertext and tag>`, its parts base64url without padding. The version, the
 * key id and the context are authenticated with it: a text moved to another account or alias does not open.
 */
export class PrivateKeyEnvelope implements KeyEnvelope {
  readonly keyId: string
  // Hard private and inside a KeyObject, so that neither a log nor an inspection shows it.
  readonly #key: KeyObject

  /** @throws AgentError `invalid_configuration`, without the value */
  constructor(options: PrivateKeyEnvelopeOptions) {
    const secret = Buffer.from(parseOptions(Options, options).secret, 'hex')
    this.#key = createSecretKey(derive(secret, 'vidimus private keys at rest, v1', 32))
    this.keyId = derive(secret, 'vidimus private keys at rest, key id', KEY_ID_BYTES).toString('base64url')
  }

  seal(plaintext: string, context: readonly string[]): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce)
    cipher.setAAD(this.additionalData(context))
    const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return [VERSION, this.keyId, nonce.toString('base64url'), sealed.toString('base64url')].join('.')
  }

  open(sealed: string, context: readonly string[]): string {
    const [, keyId, nonce, body] = SEALED.exec(sealed) ?? []
    if (keyId === undefined || nonce === undefined || body === undefined) {
      throw new AgentError('wrong_secret', 'a stored private key is not sealed in a form that is known')
    }
    if (keyId !== this.keyId) {
      throw new AgentError(
        'wrong_secret',
        `a stored private key was sealed with the secret ${keyId}, but the configured one is ${this.keyId}`,
      )
    }
    const bytes = Buffer.from(body, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', this.#key, Buffer.from(nonce, 'base64url'), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(this.additionalData(context))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]).toString(
        'utf8',
      )
    } catch (cause) {
      throw new AgentError('wrong_secret', 'a stored private key was changed, or belongs to another owner', {
        cause,
      })
    }
  }

  isSealed(text: string): boolean {
    return SEALED.test(text)
  }

  private additionalData(context: readonly string[]): Buffer {
    // JSON keeps the parts apart: ["a", "b:c"] is not ["a:b", "c"].
    return Buffer.from(JSON.stringify([VERSION, this.keyId, ...context]))
  }
}

const derive = (secret: Buffer, label: string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), label, length))
