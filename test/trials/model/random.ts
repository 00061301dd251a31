import assert from 'node:assert/strict'

/** What a seed makes: the same choices again, whoever else chooses meanwhile. */
export class Random {
  private state: number

  constructor(readonly seed: number) {
    this.state = seed >>> 0
  }

  /** Another one of the same seed, which nobody else's choices change. */
  fork(n: number): Random {
    return new Random(Math.imul(this.seed ^ 0x9e3779b9, 0x85ebca6b + 2 * n))
  }

  /** From 0 to 1, without it; mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  /** A whole number from `least` to `most`, with both. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)] ?? assert.fail('there is nothing to choose from')
  }

  /** One of them, each as often as its number says. */
  weighted<T>(from: readonly (readonly [weight: number, value: T])[]): T {
    let left = this.next() * from.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, value] of from) if ((left -= weight) < 0) return value
    return assert.fail('there is nothing to choose from')
  }

  /** Some of the kinds more often than they would be, some not at all: no two seeds make the same mixture. */
  mixed<T>(from: readonly (readonly [weight: number, value: T])[]): (readonly [number, T])[] {
    const mixture = from.map(([weight, value]) => [weight * this.pick([0, 1, 1, 5]), value] as const)
    return mixture.some(([weight]) => weight > 0) ? mixture : [...from]
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.next() * 16).toString(16)).join('')
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
  }
}
