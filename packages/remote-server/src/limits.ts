import { z } from 'zod'
import { count } from './option-values.js'

const LIMITS = {
  bodyBytes: 1024 * 1024,
  bodyBytesTogether: 128 * 1024 * 1024,
  unreadBytesPerAccount: 64 * 1024 * 1024,
  jsonDepth: 32,
  headerBytes: 16 * 1024,
  connections: 10_000,
  concurrentRequests: 1000,
  tablesPerAccount: 4,
  uploadsPerAccount: 2,
  eventStreamsPerAccount: 20,
  publicRequests: 32,
  publicRequestsPerAddress: 8,
} as const

export const LimitsSchema = z.strictObject({
  bodyBytes: count(1024, 64 * 1024 * 1024).default(LIMITS.bodyBytes),
  bodyBytesTogether: count(1024, 64 * 1024 * 1024 * 1024).default(LIMITS.bodyBytesTogether),
  bodyBytesPerAccount: count(1024, 64 * 1024 * 1024 * 1024).optional(),
  jsonDepth: count(4, 256).default(LIMITS.jsonDepth),
  headerBytes: count(4096, 256 * 1024).default(LIMITS.headerBytes),
  connections: count(1, 1_000_000).default(LIMITS.connections),
  concurrentRequests: count(1, 100_000).default(LIMITS.concurrentRequests),
  concurrentRequestsPerAccount: count(1, 100_000).optional(),
  unreadBytesPerAccount: count(1024, 64 * 1024 * 1024 * 1024).default(LIMITS.unreadBytesPerAccount),
  tablesPerAccount: count(1, 1000).default(LIMITS.tablesPerAccount),
  uploadsPerAccount: count(1, 1000).default(LIMITS.uploadsPerAccount),
  eventStreamsPerAccount: count(1, 1000).default(LIMITS.eventStreamsPerAccount),
  publicRequests: count(1, 100_000).default(LIMITS.publicRequests),
  publicRequestsPerAddress: count(1, 100_000).default(LIMITS.publicRequestsPerAddress),
})

/** Milliseconds. */
export const TimeoutsSchema = z.strictObject({
  headersMs: count(100, 600_000).default(10_000),
  requestMs: count(100, 3_600_000).default(60_000),
  bodyMs: count(100, 3_600_000).default(30_000),
  uploadBytesPerSecond: count(1, 1_000_000_000).default(1000),
  unreadMs: count(100, 3_600_000).default(30_000),
  keepAliveMs: count(100, 3_600_000).default(65_000),
  idleMs: count(1000, 3_600_000).default(300_000),
})

/** Limits of the transport; lists and credentials are limited by their own plugins. */
export interface Limits {
  /** of a request body, 1024 to 67 108 864; default 1 048 576 */
  bodyBytes: number
  /**
   * of all request bodies that were received and are not processed yet, beyond which the response is 503 `unavailable`;
   * default 134 217 728
   */
  bodyBytesTogether: number
  /** of these of one account, beyond which the response is 429 `too_many_requests`; default a quarter of `bodyBytesTogether` */
  bodyBytesPerAccount: number
  /** nesting of objects and lists in a body, 4 to 256; default 32 */
  jsonDepth: number
  /** of all headers of a request together, 4096 to 262 144; default 16 384 */
  headerBytes: number
  /** open connections, beyond which new ones are closed; default 10 000 */
  connections: number
  /**
   * running operations, beyond which the response is 503 `unavailable`; operations that wait for their body, and answers
   * that wait for their reader, do not count; default 1000
   */
  concurrentRequests: number
  /**
   * of these of one account, with all its API keys, beyond which the response is 429 `too_many_requests`; as many
   * requests of it may wait for their body; default a quarter of `concurrentRequests`
   */
  concurrentRequestsPerAccount: number
  /** answers that one account has not read yet, in bytes, beyond which the response is 429; default 67 108 864 */
  unreadBytesPerAccount: number
  /** tables (`text/csv`) that are sent to one account at the same time, beyond which the response is 429; default 4 */
  tablesPerAccount: number
  /** files that one account uploads at the same time, beyond which the response is 429; default 2 */
  uploadsPerAccount: number
  /** open event streams of one account, beyond which the response is 429; default 20 */
  eventStreamsPerAccount: number
  /**
   * concurrent requests without an API key; others wait, up to `concurrentRequests` of them, a quarter of these from
   * one address; beyond that the response is 503 `unavailable` or 429; default 32
   */
  publicRequests: number
  /** of these from one address, if it distinguishes clients; default 8 */
  publicRequestsPerAddress: number
}

/** Timeouts in milliseconds; slower clients are disconnected. */
export interface Timeouts {
  /** to receive the headers of a request; default 10 000 */
  headersMs: number
  /** to receive a whole request; default 60 000 */
  requestMs: number
  /** to receive the body of a request once it is requested, beyond which the response is 408; default 30 000 */
  bodyMs: number
  /** the least pace of an upload over `bodyMs`, in bytes per second, below which the response is 408; default 1000 */
  uploadBytesPerSecond: number
  /** without a byte of an answer being read, beyond which its connection is closed; default 30 000 */
  unreadMs: number
  /** to wait for the next request on the same connection; default 65 000 */
  keepAliveMs: number
  /** without a byte in either direction, also while a response is created or read; default 300 000 */
  idleMs: number
}
