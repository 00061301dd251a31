import { problemsError, type ErrorCode, type Problem } from '@vidimus/core-types'

/** Collects the problems of an input, so that the caller can fix everything at once. */
export class CollectedProblems {
  private readonly problems: Problem[] = []
  private readonly codes = new Set<ErrorCode>()

  /** @param code - of the whole error if all of its problems are of this kind */
  add(path: string, message: string, code: ErrorCode = 'invalid_input'): void {
    this.problems.push({ path, message })
    this.codes.add(code)
  }

  /** @throws AgentError with all problems, `invalid_input` if they are of several kinds */
  throwIfAny(): void {
    if (this.problems.length === 0) return
    const [code, ...others] = this.codes
    throw problemsError(others.length > 0 || !code ? 'invalid_input' : code, this.problems)
  }
}
