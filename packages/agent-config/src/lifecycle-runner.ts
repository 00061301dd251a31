import { isAgentError, type CheckResult, type Finding, type Lifecycle } from '@vidimus/core-types'

/** An object that takes part in starting, stopping and health checks. */
export interface Participant {
  /** its place in the configuration, such as `database` */
  readonly name: string
  readonly lifecycle: Lifecycle
}

const ADVICE = 'see "Troubleshooting" in docs/operations.md'

/** Starts, stops and checks the objects of the configuration. */
export class LifecycleRunner<T extends Participant> {
  readonly #participants: T[] = []
  readonly #started: T[] = []
  readonly #begun = new Set<T>()
  readonly #checking = new Map<T, Promise<CheckResult[]>>()
  #stopped = false

  /** @param checkTimeoutMs - a check that takes longer counts as failing */
  constructor(readonly checkTimeoutMs: number) {}

  /** In the order of building. Skips those that are already added. */
  add(participant: T): void {
    if (this.#participants.some(({ lifecycle }) => lifecycle === participant.lifecycle)) return
    this.#participants.push(participant)
  }

  /**
   * Starts what has not been started, in the order of adding. If one fails, the started ones are stopped.
   *
   * @param explain - turns an object's error into the one to throw
   * @param isMeant - which to start; default: all
   */
  async start(
    explain: (participant: T, error: unknown) => unknown,
    isMeant: (participant: T) => boolean = () => true,
  ): Promise<void> {
    if (this.#stopped) throw new Error('a stopped service cannot be restarted')
    for (const participant of this.#participants) {
      if (this.#begun.has(participant) || !isMeant(participant)) continue
      this.#begun.add(participant)
      try {
        await participant.lifecycle.start?.()
        this.#started.push(participant)
      } catch (error) {
        for (const failure of await this.#stopAll()) {
          // The reason why the start failed is what must be thrown; this one must not get lost beside it.
          process.emitWarning(failure instanceof Error ? failure : String(failure))
        }
        throw explain(participant, error)
      }
    }
  }

  /**
   * Stops everything that was started, in reverse order. A second call finds nothing to do.
   *
   * @throws AggregateError of everything that failed, once all of them are stopped
   */
  async stop(): Promise<void> {
    const failures = await this.#stopAll()
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be stopped cleanly')
  }

  /** Asks all at the same time. Never throws. */
  async check(): Promise<CheckResult[]> {
    const results = await Promise.all(
      this.#participants.map((participant) => this.#boundedCheck(participant)),
    )
    return results.flat()
  }

  /** Asks all at the same time, and takes its time. Never throws. */
  async diagnose(): Promise<Finding[]> {
    const findings = await Promise.all(
      this.#participants.map((participant) =>
        participant.lifecycle.diagnose ? runDiagnosis(participant) : this.#diagnoseByCheck(participant),
      ),
    )
    return findings.flat()
  }

  async #diagnoseByCheck(participant: T): Promise<Finding[]> {
    const results = await this.#boundedCheck(participant)
    return results.map(({ name, ok, message = ok ? 'works' : 'does not work' }) =>
      ok ? { name, level: 'ok', message } : { name, level: 'fail', message, advice: ADVICE },
    )
  }

  async #stopAll(): Promise<unknown[]> {
    this.#stopped = true
    const failures: unknown[] = []
    for (let next = this.#started.pop(); next; next = this.#started.pop()) {
      try {
        await next.lifecycle.stop?.()
      } catch (error) {
        failures.push(error)
      }
    }
    return failures
  }

  async #boundedCheck(participant: T): Promise<CheckResult[]> {
    if (!participant.lifecycle.check) return []
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<CheckResult[]>((resolve) => {
      const message = `did not answer within ${this.checkTimeoutMs / 1000} s`
      timer = setTimeout(() => resolve([failure(participant, message)]), this.checkTimeoutMs)
    })
    try {
      return await Promise.race([this.#checkOnce(participant), late])
    } finally {
      clearTimeout(timer)
    }
  }

  // A hanging check is not called again: callers meanwhile wait for the same result.
  #checkOnce(participant: T): Promise<CheckResult[]> {
    let checking = this.#checking.get(participant)
    if (!checking) {
      checking = runCheck(participant).finally(() => this.#checking.delete(participant))
      this.#checking.set(participant, checking)
    }
    return checking
  }
}

async function runDiagnosis({ name, lifecycle }: Participant): Promise<Finding[]> {
  try {
    return (await lifecycle.diagnose?.()) ?? []
  } catch (error) {
    // As with checks: other errors may contain private data.
    const message = isAgentError(error) ? error.message : 'the check failed'
    return [{ name, level: 'fail', message, advice: ADVICE }]
  }
}

async function runCheck(participant: Participant): Promise<CheckResult[]> {
  try {
    const results: unknown = await participant.lifecycle.check?.()
    if (Array.isArray(results)) return results as CheckResult[]
    return [failure(participant, 'the check returned no results')]
  } catch (error) {
    // Health is public, and only the messages of an AgentError are meant for that.
    return [failure(participant, isAgentError(error) ? error.message : 'the check itself failed')]
  }
}

const failure = ({ name, lifecycle }: Participant, message: string): CheckResult => ({
  name,
  ok: false,
  ...(lifecycle.checkWarns && { warning: true }),
  message,
})
