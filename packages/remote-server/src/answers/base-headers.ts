import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import { lengthOf, sendBody, type AnswerBody } from './answer-body.js'
import { requestContext, setAddedHeaders } from '../request/request-context.js'
import type { ServedResponse } from '../request/served-request.js'

/** API responses are not pages: a browser tricked into showing one must not run anything in it. */
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

/** The headers of every response: those that protect browsers, and the request id. */
export class BaseHeaders {
  /** Identical for all responses, so helmet is called once instead of per request. */
  readonly protective: ReadonlyMap<string, string> = protectiveHeaders()
  private readonly flat = [...this.protective].flat()

  /** For responses whose other headers are set individually. */
  set(res: ServedResponse): void {
    for (const [name, value] of this.protective) res.setHeader(name, value)
    res.setHeader('x-request-id', requestContext(res).requestId)
    setAddedHeaders(res)
  }

  /**
   * Sends JSON that must not be cached. Sets all headers at once: setting them individually, and Express' `json`, cost
   * more than the rest of the response.
   */
  answer(res: ServedResponse, status: number, body: AnswerBody): void {
    const { requestId, headers = [] } = requestContext(res)
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
      String(lengthOf(body)),
    ])
    sendBody(res, body)
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
