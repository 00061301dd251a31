import { isAgentError, OUTAGE_CODES, type Problem, type VerificationCheck } from '@vidimus/core-types'

/** Collects the checks made during verification, and the objections to the credential or presentation. */
export class VerificationReport {
  readonly checks: VerificationCheck[] = []
  readonly #problems: Problem[] = []

  /** @param path - of the credential or presentation in the caller's input */
  constructor(readonly path: string) {}

  /** Whether no check has failed so far. */
  get verified(): boolean {
    return this.#problems.length === 0
  }

  /** Absent, as in the response, if there are none. */
  get problems(): { problems?: Problem[] } {
    return this.verified ? {} : { problems: [...this.#problems] }
  }

  passed(check: string): void {
    this.checks.push({ check, ok: true })
  }

  failed(check: string, messages: readonly string[], path = this.path, error?: unknown): void {
    const isOfAlgorithm = isAgentError(error) && error.code === 'algorithm_not_supported'
    const code = isOfAlgorithm ? { code: 'algorithm_not_supported' as const } : {}
    this.checks.push({ check, ok: false, message: messages.join('; '), ...code })
    this.#problems.push(...messages.map((message) => ({ path, message })))
  }

  /** Passes, or fails with a reason. */
  noted(check: string, reason: string | undefined, path = this.path): void {
    if (reason === undefined) this.passed(check)
    else this.failed(check, [reason], path)
  }

  /** Takes over the objections to a nested part. */
  includes(problems: readonly Problem[]): void {
    this.#problems.push(...problems)
  }

  /**
   * Runs a check that refuses with an {@link AgentError}; other errors and outages are rethrown.
   *
   * @returns `undefined` if it failed
   */
  async attempt<T>(check: string, look: () => T | Promise<T>): Promise<T | undefined> {
    try {
      const result = await look()
      this.passed(check)
      return result
    } catch (error) {
      this.failed(check, refusalReasons(error), this.path, error)
      return undefined
    }
  }
}

/**
 * Why something was refused: the messages of an {@link AgentError} without their paths.
 *
 * @throws the error itself if it is another kind, or concerns the service
 */
export function refusalReasons(error: unknown): string[] {
  if (!isAgentError(error) || OUTAGE_CODES.includes(error.code)) throw error
  return error.details.length > 0 ? error.details.map(({ message }) => message) : [error.message]
}
