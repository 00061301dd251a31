import type { Request, Response } from 'express'
import { answerBody } from './answer-body.js'
import { REVALIDATE } from './cache-control.js'
import { setPublicHeaders } from './public-headers.js'

/** Where a resolver tells its methods, by the convention of the Universal Resolver. */
export const METHODS_PATH = '/1.0/methods'

/** Answers the DID methods that are resolved for everybody. */
export function methodsRoute(methods: readonly string[]): (req: Request, res: Response) => void {
  const body = JSON.stringify([...methods].sort())
  return (_req, res) => {
    setPublicHeaders(res)
    answerBody(res, 200, { 'content-type': 'application/json', 'cache-control': REVALIDATE }, body)
  }
}
