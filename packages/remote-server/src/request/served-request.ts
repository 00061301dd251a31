import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request as Node.js has it. What came through Express has more, which nobody on the way of both may count on. */
export interface ServedRequest extends IncomingMessage {
  /** the client's, as Express makes it out of the headers; only where proxies are believed */
  readonly ip?: string | undefined
  /** of a path with parameters */
  readonly params?: Readonly<Record<string, unknown>>
  /** the whole path, where a router of Express takes its part of it away */
  readonly originalUrl?: string
}

/** A response, with what is known of its request. Express keeps that at the same place. */
export interface ServedResponse extends ServerResponse {
  locals: object
}
