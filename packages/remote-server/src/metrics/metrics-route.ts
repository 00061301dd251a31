import { unauthenticated } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import { metricsAccess } from './metrics-access.js'
import { HEADERS } from './metrics-server.js'

/** Metrics on the main port, only with the token. */
export function metricsRoute(
  text: () => Promise<string>,
  token: string,
): (req: Request, res: Response) => Promise<void> {
  const mayRead = metricsAccess(token)
  return async (req, res) => {
    if (!mayRead(req.headers)) {
      const isMissing = req.headers.authorization === undefined
      throw unauthenticated(
        'authorization',
        isMissing ? 'missing' : 'unknown',
        'must be Bearer and the token of the metrics',
      )
    }
    const body = await text()
    for (const [name, value] of Object.entries(HEADERS)) res.setHeader(name, value)
    res.end(body)
  }
}
