import {
  Counter,
  gauge,
  Histogram,
  type HistogramForm,
  type Measurement,
  type MeasurementForm,
} from '@vidimus/core-types'

export const CALLERS_PER_VERSION: HistogramForm = {
  name: 'vidimus_status_list_update_callers',
  help: 'Updates in one published version of a status list',
  labels: ['list_type'],
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
}

export const VERSIONS: MeasurementForm = {
  name: 'vidimus_status_list_versions_total',
  help: 'Published versions of status lists, including those of new lists',
  labels: ['list_type'],
}

export const OVERTAKEN: MeasurementForm = {
  name: 'vidimus_status_list_conflicts_total',
  help: 'Versions of status lists rebuilt because another process had published first',
}

export const RENEWALS: MeasurementForm = {
  name: 'vidimus_status_list_renewals_total',
  help: 'Status lists due for renewal, by outcome',
  labels: ['result'],
}

export const JOBS: MeasurementForm = {
  name: 'vidimus_status_list_jobs_total',
  help: 'Mass changes of status lists that this process completed, or was asked to cancel',
  labels: ['result'],
}

export const JOB_ROWS: MeasurementForm = {
  name: 'vidimus_status_list_job_rows_total',
  help: 'Rows of mass changes that this process applied, and those that it refused while applying',
  labels: ['result'],
}

export const MEMBERS: MeasurementForm = {
  name: 'vidimus_status_list_members_total',
  help: 'Members of series: published ahead, late (a request waited for it), or failed',
  labels: ['result'],
}

export const CLOSED_MEMBERS: MeasurementForm = {
  name: 'vidimus_status_list_members_closed_total',
  help: 'Members of series whose credentials have all expired',
}

export const BEATS: MeasurementForm = {
  name: 'vidimus_status_list_beats_total',
  help: 'Beats of status lists that publish at intervals, by outcome',
  labels: ['result'],
}

export const RECEIPTS: MeasurementForm = {
  name: 'vidimus_status_list_receipts_total',
  help: 'Receipts of status list updates: signed, verified and rejected',
  labels: ['result'],
}

export const CACHE_REQUESTS: MeasurementForm = {
  name: 'vidimus_status_list_cache_requests_total',
  help: 'Look-ups of decoded lists and their documents: hit if they were in memory',
  labels: ['cache', 'result'],
}

export const WAITING_UPDATES: MeasurementForm = {
  name: 'vidimus_status_list_waiting_updates',
  help: 'Updates waiting for the next version of their list',
}

export const LISTS_BEING_WRITTEN: MeasurementForm = {
  name: 'vidimus_status_list_writers',
  help: 'Status lists for which this process is publishing a version',
}

/** The counters of reading and writing lists. */
export class ListCounts {
  readonly callers = new Histogram(CALLERS_PER_VERSION)
  readonly versions = new Counter(VERSIONS)
  readonly overtaken = new Counter(OVERTAKEN)
  readonly receipts = new Counter(RECEIPTS, [['signed'], ['verified'], ['refused']])
  readonly cache = new Counter(CACHE_REQUESTS, [
    ['list', 'hit'],
    ['list', 'miss'],
    ['document', 'hit'],
    ['document', 'miss'],
  ])

  looked(cache: 'list' | 'document', found: boolean): void {
    this.cache.add(1, cache, found ? 'hit' : 'miss')
  }

  /** Everything that is measured of lists. */
  with(now: { waiting(): number; writers(): number }): readonly Measurement[] {
    return [
      this.callers,
      this.versions,
      this.overtaken,
      this.receipts,
      this.cache,
      gauge(WAITING_UPDATES, () => now.waiting()),
      gauge(LISTS_BEING_WRITTEN, () => now.writers()),
    ]
  }
}
