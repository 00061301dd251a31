import { requestContext } from '../request/request-context.js'
import type { ServedRequest, ServedResponse } from '../request/served-request.js'
import { REVALIDATE } from './cache-control.js'
import { PreparedAnswers } from './prepared-answers.js'
import { publicAnswer } from './public-answer.js'
import type { PublicHeaders } from './public-headers.js'

/** The path where a resolver lists its methods, by the convention of the Universal Resolver. */
export const METHODS_PATH = '/1.0/methods'

/** Returns the DID methods that are resolved publicly. */
export function methodsRoute(
  methods: readonly string[],
  headers: PublicHeaders,
): (req: ServedRequest, res: ServedResponse) => void {
  const body = JSON.stringify([...methods].sort())
  const shown = { 'content-type': 'application/json', 'cache-control': REVALIDATE }
  const prepared = new PreparedAnswers(headers)
  return (req, res) => {
    requestContext(res).isPublic = true
    prepared.sendNew(req, res, '', publicAnswer(200, shown, body))
  }
}
