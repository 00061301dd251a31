import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NextFunction, Request, Response } from 'express'
import helmet from 'helmet'

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

/** The headers of every answer. They are the same for all, so helmet is asked for them once, not with each request. */
export function securityHeaders(): (req: Request, res: Response, next: NextFunction) => void {
  const headers = new Map<string, string>()
  const recorder: Pick<ServerResponse, 'setHeader' | 'removeHeader'> = {
    setHeader(name, value) {
      headers.set(name, String(value))
      return this as ServerResponse
    },
    removeHeader: () => undefined,
  }
  helmet(OPTIONS)({} as IncomingMessage, recorder as ServerResponse, () => undefined)
  return (_req, res, next) => {
    for (const [name, value] of headers) res.setHeader(name, value)
    next()
  }
}
