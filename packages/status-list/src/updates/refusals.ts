import { isAgentError, problemsError, type ErrorCode, type Problem } from '@vidimus/core-types'

/** Refusals of a call with several items, collected so that all are reported at once. */
export class Refusals {
  private readonly problems: Problem[] = []
  private code: ErrorCode | undefined

  /**
   * Runs the work for each item in turn, and records refusals.
   *
   * @param member - the argument that contains the items
   * @returns the results for the items that are not refused
   * @throws errors that are not refusals
   */
  async gather<Asked, Result>(
    member: string,
    asked: readonly Asked[],
    work: (one: Asked, n: number) => Result | Promise<Result>,
  ): Promise<Result[]> {
    const results: Result[] = []
    for (const [n, one] of asked.entries()) {
      try {
        results.push(await work(one, n))
      } catch (error) {
        this.note(error, `${member}[${n}]`)
      }
    }
    return results
  }

  /** @throws AgentError with the code of the first refusal, and a detail for every problem */
  throwIfAny(): void {
    if (this.code) throw problemsError(this.code, this.problems)
  }

  private note(error: unknown, path: string): void {
    if (!isAgentError(error)) throw error
    const { code, message, details } = error
    this.code ??= code
    const problems = details.length > 0 ? details : [{ path: '', message }]
    for (const problem of problems) {
      const below = problem.path === '' ? '' : `.${problem.path}`
      this.problems.push({ ...problem, path: path + below })
    }
  }
}
