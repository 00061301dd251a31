import { runWhileWanted } from '@vidimus/core-types'
import { contextOf } from './request-context.js'
import type { ServedResponse } from './served-request.js'

/** Does something for the client of a request, and nothing more once that has gone. @throws the reason where it has already */
export function whileWanted(res: ServedResponse, work: () => Promise<void>): Promise<void> {
  const { life } = contextOf(res)
  if (life.isOver) life.gone.throwIfAborted()
  return runWhileWanted(life, work)
}
