import { askedGauge, Counter, type Measurement, type MeasurementForm } from '@vidimus/core-types'

export const PUBLICATION_LAG: MeasurementForm = {
  name: 'vidimus_publication_lag_seconds',
  help: 'Age of the oldest change that is not yet in the static publication; 0 if there is none',
}

export const PUBLICATION_FAILURES: MeasurementForm = {
  name: 'vidimus_publication_failures_total',
  help: 'Failed attempts to write to the static publication, which are retried',
}

/** The counters and gauges of the publication. */
export class PublicationCounts {
  readonly failures = new Counter(PUBLICATION_FAILURES, [[]])

  with(lagSeconds: () => Promise<number>): readonly Measurement[] {
    return [this.failures, askedGauge(PUBLICATION_LAG, lagSeconds)]
  }
}
