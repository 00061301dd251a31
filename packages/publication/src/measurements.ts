import { askedGauge, Counter, type Measurement, type MeasurementForm } from '@vidimus/core-types'

export const PUBLICATION_LAG: MeasurementForm = {
  name: 'vidimus_publication_lag_seconds',
  help: 'How long the oldest change waits that is not yet in the static publication; 0 where none does',
}

export const PUBLICATION_FAILURES: MeasurementForm = {
  name: 'vidimus_publication_failures_total',
  help: 'Attempts to write to the static publication that failed, and are repeated',
}

/** The counters and gauges of the publication. */
export class PublicationCounts {
  readonly failures = new Counter(PUBLICATION_FAILURES, [[]])

  with(lagSeconds: () => Promise<number>): readonly Measurement[] {
    return [this.failures, askedGauge(PUBLICATION_LAG, lagSeconds)]
  }
}
