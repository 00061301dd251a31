/** How many single letters have to be inserted, removed, replaced or swapped with their neighbour. */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, n) => n)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1]
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) best = Math.min(best, at(i - 2, j - 2) + 1)
      row.push(best)
    }
  }
  return at(from.length, to.length)
}

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
    .map((candidate) => ({ candidate, slips: distance(meant, plain(candidate)) }))
    .filter(({ candidate, slips }) => slips <= slipsAllowed(candidate))
    .sort((a, b) => a.slips - b.slips)
  return best?.candidate
}
