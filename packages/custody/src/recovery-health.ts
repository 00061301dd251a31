import { Counter, gauge, type CheckResult, type Measurement } from '@vidimus/core-types'
import { isFull } from '@vidimus/database'
import { FAILING_PASSES, FAILURES, LEFT } from './measurements.js'

/** So many passes fail one after the other, until the service is not ready. */
const MOST_FAILING = 3

/** How the passes over half-done creations go, for health and metrics. */
export class RecoveryHealth {
  readonly measurements: readonly Measurement[]
  private readonly failures = new Counter(FAILURES)
  private failing = 0
  private left = 0
  /** creations that a pass has met which it could not settle because of an error */
  private unsettled = 0
  private unsettledBefore = 0

  constructor() {
    this.measurements = [
      this.failures,
      gauge(LEFT, () => this.left),
      gauge(FAILING_PASSES, () => this.failing),
    ]
  }

  /** Watches a pass. */
  async of<T extends { left: number }>(pass: Promise<T>): Promise<T> {
    this.unsettled = 0
    try {
      const outcome = await pass
      this.failing = 0
      this.left = outcome.left
      return outcome
    } catch (error) {
      // The database reports a full disk, which does not prevent reads.
      if (!isFull(error)) this.failing += 1
      throw error
    } finally {
      this.unsettledBefore = this.unsettled
    }
  }

  couldNotSettle(): void {
    this.failures.add(1)
    this.unsettled += 1
  }

  /** A creation that fails by itself does not affect others: the service is ready, and reports it. */
  check(): CheckResult {
    const name = 'did-creations'
    if (this.failing >= MOST_FAILING) {
      const message = `the last ${this.failing} passes over interrupted DID creations failed; see the log`
      return { name, ok: false, message }
    }
    if (this.unsettledBefore === 0) return { name, ok: true }
    const message = `${this.unsettledBefore} interrupted DID creations cannot be recovered; see the log`
    return { name, ok: true, message }
  }
}
