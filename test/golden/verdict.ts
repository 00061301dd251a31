/** The findings about a case. */
export interface Verdict {
  /** what differs from the node, and in which room */
  differences: string[]
  /** the service refuses by its own rule what the node accepts */
  isStricter: boolean
}

export const agreement = (differences: string[] = []): Verdict => ({ differences, isStricter: false })
