import { isAgentError, problemsError, type ErrorCode, type Problem } from '@vidimus/core-types'

/** What is refused of a call that asks for several things, so that all of it is told at once. */
export class Refusals {
  private readonly problems: Problem[] = []
  private code: ErrorCode | undefined

  /**
   * Does the work for each of what is asked for, one after the other, and notes where it is refused.
   *
   * @param member - of the arguments that holds them
   * @returns what the work gave for those that are not refused
   * @throws what is no refusal
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

  /** @throws AgentError with the code of the first refusal, and a detail for each of their problems */
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
      this.problems.push({ path: path + below, message: problem.message })
    }
  }
}
