import type { CheckResult } from '@vidimus/core-types'

/** What `/health/ready` answers. */
export interface ReadinessReport {
  ready: boolean
  state: 'starting' | 'running' | 'stopping'
  /** how long the checks took, milliseconds */
  durationMs: number
  checks: CheckResult[]
}

export type Checks = () => Promise<CheckResult[]>

/** A look at the server itself, which waits for nothing. */
export type OwnCheck = () => CheckResult

const FRESH_MS = 1000
const PATIENCE_MS = 5000

/** Whether the service can do its work now: starting until its checks are known, failing once it stops. */
export class Readiness {
  private state: ReadinessReport['state'] = 'starting'
  private checks: Checks | undefined
  private latest: { at: number; report: Promise<ReadinessReport> } | undefined

  private readonly own: OwnCheck[] = []

  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Looks at this as well, whatever the checks are. */
  add(check: OwnCheck): void {
    this.own.push(check)
  }

  /** From now on operations are served. */
  useChecks(checks: Checks | undefined): void {
    this.checks = checks
    this.latest = undefined
    if (this.state === 'starting') this.state = 'running'
  }

  stop(): void {
    this.state = 'stopping'
    this.latest = undefined
  }

  get isStarting(): boolean {
    return this.state === 'starting'
  }

  get isStopping(): boolean {
    return this.state === 'stopping'
  }

  /** Looks at most once a second, however often it is asked. */
  report(): Promise<ReadinessReport> {
    const now = this.clock()
    if (!this.latest || now - this.latest.at >= FRESH_MS) {
      this.latest = { at: now, report: this.look() }
    }
    return this.latest.report
  }

  private async look(): Promise<ReadinessReport> {
    const { state } = this
    if (state !== 'running') return { ready: false, state, durationMs: 0, checks: [] }
    const startedAt = this.clock()
    const checks = [...(await this.runChecks()), ...this.own.map((check) => check())]
    const durationMs = Math.round((this.clock() - startedAt) * 10) / 10
    return { ready: checks.every(({ ok }) => ok), state, durationMs, checks }
  }

  private async runChecks(): Promise<CheckResult[]> {
    if (!this.checks) return []
    let timer: NodeJS.Timeout | undefined
    const lateness = new Promise<CheckResult[]>((resolve) => {
      const late = [{ name: 'checks', ok: false, message: `did not answer within ${PATIENCE_MS} ms` }]
      timer = setTimeout(() => resolve(late), PATIENCE_MS)
    })
    try {
      return await Promise.race([this.checks(), lateness])
    } catch {
      // A check that throws says as much as one that fails; what it throws may name addresses.
      return [{ name: 'checks', ok: false, message: 'could not be made' }]
    } finally {
      clearTimeout(timer)
    }
  }
}
