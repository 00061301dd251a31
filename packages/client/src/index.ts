export { ApiError, type ApiProblem } from './api-error.js'
export type { components, operations, paths } from './api-types.js'
export {
  createClient,
  type AnswerOf,
  type Call,
  type Client,
  type ClientOptions,
  type PathOf,
} from './client.js'
export { verifyReceipt, type ReceiptEvidence, type ReceiptVerdict } from './receipts/verify-receipt.js'
export type { StatusReceipt } from './receipts/signed-receipt.js'
