import { createCipheriv, createHash, type Cipher } from 'node:crypto'

/** Numbers that look random and are the same for the same seed, so that a failure can be repeated. */
export class RandomSource {
  private readonly stream: Cipher

  constructor(seed: string) {
    const key = createHash('sha256').update(seed).digest()
    this.stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  }

  bytes(length: number): Uint8Array {
    return new Uint8Array(this.stream.update(Buffer.alloc(length)))
  }

  /** From 0 to `below - 1`; `below` is at most 2 ** 31. */
  below(below: number): number {
    return Buffer.from(this.bytes(6)).readUIntBE(0, 6) % below
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0]
  }

  /**
   * Bytes of which some have one bit set.
   *
   * @param share - of the bytes, 0 to 1
   */
  sparseBytes(length: number, share: number): Uint8Array {
    const bytes = new Uint8Array(length)
    for (let n = Math.round(length * share); n > 0; n--) bytes[this.below(length)] = 1 << this.below(8)
    return bytes
  }
}
