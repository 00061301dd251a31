export { describeStatusListType, type TestRunner } from './describe-status-list-type.js'
export { statusListTypeChecks, type ConformanceCheck } from './conformance-checks.js'
export type { ConformanceOptions, StatusListVector } from './subject.js'
