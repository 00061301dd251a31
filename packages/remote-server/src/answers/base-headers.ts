import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import { contextOf, setAddedHeaders } from '../request/request-context.js'
import type { ServedResponse } from '../request/served-request.js'

/** An API answers no page: a browser that is led to show one of its answers must not run anything in it. */
const OPTIONS: Parameters<typeof helmet>[0] = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
    },
  },
  xFrameOptions: { action: 'deny' },
}

/** The headers of every answer: those that protect browsers, and the id of the request. */
export class BaseHeaders {
  /** The same for all answers, so helmet is asked for them once, not with each request. */
  readonly protective: ReadonlyMap<string, string> = protectiveHeaders()
  private readonly flat = [...this.protective].flat()

  /** For answers whose other headers are set one by one. */
  set(res: ServedResponse): void {
    for (const [name, value] of this.protective) res.setHeader(name, value)
    res.setHeader('x-request-id', contextOf(res).requestId)
    setAddedHeaders(res)
  }

  /**
   * Answers with JSON that nobody may keep. All headers at once: setting them one by one, and Express' `json`,
   * cost more than the rest of the answer.
   */
  answer(res: ServedResponse, status: number, body: string): void {
    const { requestId, headers = [] } = contextOf(res)
    res.writeHead(status, [
      ...this.flat,
      ...headers,
      'x-request-id',
      requestId,
      'cache-control',
      'no-store',
      'content-type',
      'application/json; charset=utf-8',
      'content-length',
      String(Buffer.byteLength(body)),
    ])
    res.end(body)
  }
}

function protectiveHeaders(): Map<string, string> {
  const headers = new Map<string, string>()
  const recorder: Pick<ServerResponse, 'setHeader' | 'removeHeader'> = {
    setHeader(name, value) {
      headers.set(name.toLowerCase(), String(value))
      return this as ServerResponse
    },
    removeHeader: () => undefined,
  }
  helmet(OPTIONS)({} as IncomingMessage, recorder as ServerResponse, () => undefined)
  return headers
}
