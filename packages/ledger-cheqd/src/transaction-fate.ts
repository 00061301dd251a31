/** The knowledge about a transaction that is in no known block. */
export interface Sighting {
  sequence: number
  timeoutHeight: number
  /** the last block that was looked through, all by the same node */
  height: number
  /** the next sequence of the payer, as of a block up to that one */
  accountSequence: number
  /** the block of the first look that found a higher sequence of the payer than its own */
  overtakenAt: number | undefined
}

export type Fate =
  /** it may still be executed */
  | 'open'
  /** its sequence is free: it was not executed, and its time is over */
  | 'expired'
  /** its sequence was used, and no block up to now holds it */
  | 'replaced'

/** Nodes know a transaction by its hash a moment after its block. */
const BLOCKS_OF_GRACE = 2

/**
 * Whether a transaction can still be executed. Its timeout height ends that for certain; so does another transaction
 * with its sequence, once nodes had the time to report which one that is.
 */
export function transactionFate({
  sequence,
  timeoutHeight,
  height,
  accountSequence,
  overtakenAt,
}: Sighting): Fate {
  if (overtakenAt !== undefined) return height >= overtakenAt + BLOCKS_OF_GRACE ? 'replaced' : 'open'
  if (accountSequence > sequence || height < timeoutHeight + BLOCKS_OF_GRACE) return 'open'
  return 'expired'
}
