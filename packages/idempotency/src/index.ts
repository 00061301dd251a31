export {
  createdBefore,
  forgetCreation,
  nextCreation,
  noteCreation,
  type Creation,
  type CreationMark,
} from './creation-marks.js'
export { IdempotencyRecords, type IdempotencyRecordsOptions } from './idempotency-records.js'
export { idempotencyBaseline } from './baseline.js'
