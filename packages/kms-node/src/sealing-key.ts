import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

const KEY_ID_BYTES = 6

/** Characters of {@link SealingKey.id}. */
export const KEY_ID_LENGTH = 8

/** Derived from a secret by HKDF-SHA256 (RFC 5869): a key, and an id that reveals nothing of it. */
export class SealingKey {
  /** 8 characters of base64url */
  readonly id: string
  // Inside a KeyObject, so that neither a log nor an inspection shows it.
  readonly key: KeyObject

  /** @param secret - 32 bytes in hex */
  constructor(secret: string) {
    const bytes = Buffer.from(secret, 'hex')
    this.key = createSecretKey(derive(bytes, 'vidimus private keys at rest, v1', 32))
    this.id = derive(bytes, 'vidimus private keys at rest, key id', KEY_ID_BYTES).toString('base64url')
  }
}

const derive = (secret: Buffer, label: string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), label, length))
