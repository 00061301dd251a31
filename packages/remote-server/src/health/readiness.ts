import type { CheckResult } from '@vidimus/core-types'

/** The response of `/health/ready`. */
export interface ReadinessReport {
  ready: boolean
  state: 'starting' | 'running' | 'stopping'
  /** duration of the checks, milliseconds */
  durationMs: number
  checks: CheckResult[]
}

export type Checks = () => Promise<CheckResult[]>

/** A synchronous check of the server itself. */
export type OwnCheck = () => CheckResult

/** How long a good result is reused, counted from the start of the check run. */
const FRESH_MS = 5000
/** The same for a bad result: both a second failure and the recovery should show quickly. */
const FAILED_MS = 1000
/** Longer than any single check may take, so that the late one is named, and may be only a warning. */
const PATIENCE_MS = 6000

interface Look {
  readonly report: Promise<ReadinessReport>
  /** until when it is reused; requests share it while it is running */
  until: number
}

/**
 * Whether the service is ready: starting until its checks are known, failing once it stops. A single failure after a
 * success is ignored, as a momentarily busy machine should stay in the load balancer. Two in a row count.
 */
export class Readiness {
  private state: ReadinessReport['state'] = 'starting'
  private checks: Checks | undefined
  /** an unfinished run of the checks, possibly from an earlier request */
  private running: Promise<CheckResult[]> | undefined
  private latest: Look | undefined
  private wasGood = false

  private readonly own: OwnCheck[] = []

  constructor(
    private readonly clock: () => number = () => performance.now(),
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** Adds a check that is independent of the others. */
  add(check: OwnCheck): void {
    this.own.push(check)
  }

  /** From now on operations are served. */
  useChecks(checks: Checks | undefined): void {
    this.checks = checks
    this.running = undefined
    this.latest = undefined
    this.wasGood = false
    if (this.state === 'starting') this.state = 'running'
  }

  stop(): void {
    this.state = 'stopping'
  }

  get isStarting(): boolean {
    return this.state === 'starting'
  }

  get isStopping(): boolean {
    return this.state === 'stopping'
  }

  /** Shares a run that is under way; a finished one is reused for {@link FRESH_MS} at most. */
  async report(): Promise<ReadinessReport> {
    if (this.state === 'running') {
      if (!this.latest || this.clock() >= this.latest.until) this.latest = this.begin()
      const report = await this.latest.report
      if (!this.isStopping) return report
    }
    return { ready: false, state: this.state, durationMs: 0, checks: [] }
  }

  private begin(): Look {
    const at = this.clock()
    const look: Look = { report: this.look(at), until: Infinity }
    void look.report.then(({ checks }) => (look.until = at + (allWork(checks) ? FRESH_MS : FAILED_MS)))
    return look
  }

  private async look(startedAt: number): Promise<ReadinessReport> {
    const checks = [...(await this.runChecks()), ...this.own.map((check) => check())]
    const isGood = allWork(checks)
    const ready = isGood || this.wasGood
    this.wasGood = isGood
    const durationMs = Math.round((this.clock() - startedAt) * 10) / 10
    return { ready, state: 'running', durationMs, checks }
  }

  private async runChecks(): Promise<CheckResult[]> {
    if (!this.checks) return []
    let timer: NodeJS.Timeout | undefined
    const lateness = new Promise<CheckResult[]>((resolve) => {
      const late = [{ name: 'checks', ok: false, message: `did not answer within ${this.patienceMs} ms` }]
      timer = setTimeout(() => resolve(late), this.patienceMs)
    })
    try {
      return await Promise.race([this.joinChecks(this.checks), lateness])
    } finally {
      clearTimeout(timer)
    }
  }

  /** A late check is not started again in parallel. */
  private joinChecks(checks: Checks): Promise<CheckResult[]> {
    if (this.running) return this.running
    const running = awaitResults(checks).finally(() => {
      if (this.running === running) this.running = undefined
    })
    this.running = running
    return running
  }
}

/** Whether all checks succeed, apart from those that only warn. */
export const allWork = (checks: readonly CheckResult[]): boolean =>
  checks.every(({ ok, warning }) => ok || warning === true)

async function awaitResults(checks: Checks): Promise<CheckResult[]> {
  try {
    return await checks()
  } catch {
    // A check that throws counts as failed; its error may contain addresses.
    return [{ name: 'checks', ok: false, message: 'could not be made' }]
  }
}
