import { editDistance } from '@vidimus/core-types'

const LONGEST_NAME = 64

const slipsAllowed = (name: string) => (name.length > 4 ? 2 : 1)

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/**
 * The known name that somebody probably meant: same letters in another spelling, or at most two slips (one in short
 * names).
 */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined
  const meant = plain(name)
  const [best] = known
    // Each letter that one has more than the other is a slip in itself.
    .filter((candidate) => Math.abs(plain(candidate).length - meant.length) <= slipsAllowed(candidate))
    .map((candidate) => ({ candidate, slips: editDistance(meant, plain(candidate)) }))
    .filter(({ candidate, slips }) => slips <= slipsAllowed(candidate))
    .sort((a, b) => a.slips - b.slips)
  return best?.candidate
}
