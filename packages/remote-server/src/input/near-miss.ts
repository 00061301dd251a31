import { editDistance } from '@vidimus/core-types'

const LONGEST_NAME = 64

const slipsAllowed = (name: string) => (name.length > 4 ? 2 : 1)

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/**
 * The known name that was probably meant: the same letters in another spelling, or at most two typos (one in short
 * names).
 */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined
  const meant = plain(name)
  const [best] = known
    // Each additional letter counts as a typo.
    .filter((candidate) => Math.abs(plain(candidate).length - meant.length) <= slipsAllowed(candidate))
    .map((candidate) => ({ candidate, slips: editDistance(meant, plain(candidate)) }))
    .filter(({ candidate, slips }) => slips <= slipsAllowed(candidate))
    .sort((a, b) => a.slips - b.slips)
  return best?.candidate
}
