import { runWhileWanted } from '@vidimus/core-types'
import { requestContext } from './request-context.js'
import type { ServedResponse } from './served-request.js'

/** Runs work for the client of a request until it disconnects. @throws the reason if it already has */
export function whileWanted(res: ServedResponse, work: () => Promise<void>): Promise<void> {
  const { life } = requestContext(res)
  if (life.isOver) life.gone.throwIfAborted()
  return runWhileWanted(life, work)
}
