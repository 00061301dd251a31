import { Histogram, inSpan, log, secondsSince, type Measurement, type Network } from '@vidimus/core-types'
import { LedgerError } from './errors.js'
import { SUBMIT_SECONDS } from './measurements.js'
import type { LedgerMessage } from './messages.js'

/** A submission to a ledger: a message, or a payment. */
type Submitted = LedgerMessage['type'] | 'payment'

/** Measures submissions to one ledger: time, log and a step of the trace. For authors of ledgers. */
export class MeasuredSubmission {
  private readonly seconds = new Histogram(SUBMIT_SECONDS)
  readonly measurements: readonly Measurement[] = [this.seconds]

  constructor(
    private readonly network: Network,
    private readonly kind: string,
  ) {}

  /** @throws what `work` throws */
  run<T>(message: Submitted, work: () => Promise<T>): Promise<T> {
    const attributes = {
      'vidimus.ledger.network': this.network,
      'vidimus.ledger.kind': this.kind,
      'vidimus.ledger.message': message,
    }
    return inSpan('ledger.submit', attributes, () => this.measure(message, work))
  }

  private async measure<T>(message: Submitted, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    try {
      const result = await work()
      this.ended(message, startedAt, 'committed')
      return result
    } catch (error) {
      this.ended(message, startedAt, submissionOutcome(error), error)
      throw error
    }
  }

  private ended(message: Submitted, startedAt: number, outcome: string, error?: unknown): void {
    const seconds = secondsSince(startedAt)
    this.seconds.observe(seconds, this.network, message, outcome)
    const isFailure = outcome === 'transport' || outcome === 'timeout' || outcome === 'error'
    const durationMs = Math.round(seconds * 1000)
    const fields = { network: this.network, ledgerMessage: message, outcome, durationMs }
    // A rule's refusal is the caller's error, and its message may repeat input.
    if (isFailure) log('warn', 'a message to the ledger failed', fields, error)
    else log('debug', 'a message was sent to the ledger', fields)
  }
}

/** Refusals by their phase; `aborted` if the caller cancelled it. */
function submissionOutcome(error: unknown): string {
  if (error instanceof LedgerError) return error.phase
  return error instanceof Error && error.name === 'AbortError' ? 'aborted' : 'error'
}
