import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request as Node.js provides it. Express adds members, which code for both paths must not use. */
export interface ServedRequest extends IncomingMessage {
  /** the client's, as derived by Express from the headers; only if proxies are trusted */
  readonly ip?: string | undefined
  /** of a path with parameters */
  readonly params?: Readonly<Record<string, unknown>>
  /** the whole path, if an Express router has removed its own part */
  readonly originalUrl?: string
}

/** A response with the state of its request, which Express keeps in the same place. */
export interface ServedResponse extends ServerResponse {
  locals: object
}
