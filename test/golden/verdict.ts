/** What was found out about a case. */
export interface Verdict {
  /** what is not as the node has it, and in which room */
  differences: string[]
  /** the service refuses by a rule of its own what the node takes */
  isStricter: boolean
}

export const agreement = (differences: string[] = []): Verdict => ({ differences, isStricter: false })
