export {
  createdBefore,
  forgetCreation,
  nextCreation,
  noteCreation,
  type Creation,
  type CreationMark,
} from './creation-marks.js'
export { IdempotencyRecords, type IdempotencyRecordsOptions } from './idempotency-records.js'
export { AddHomesToRecords1798200000850 } from './migrations/add-homes-to-records.js'
export { CreateIdempotencyRecords1795824000030 } from './migrations/create-idempotency-records.js'
export { KeepChangesOfRequests1798300000890 } from './migrations/keep-changes-of-requests.js'
export { NamePresenceOfRequests1796500000710 } from './migrations/name-presence-of-requests.js'
