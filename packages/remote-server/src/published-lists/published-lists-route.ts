import { AgentError, LISTS_PATH, problemsError, runWhileWanted } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import type { PublicRequests } from '../admission/public-requests.js'
import { errorBody } from '../errors/error-body.js'
import type { Readiness } from '../health/readiness.js'
import { namesEntityTag } from '../answers/entity-tag.js'
import { cacheControlOf, IMMUTABLE, REVALIDATE } from '../identifiers/cache-control.js'
import { PreparedAnswers } from '../identifiers/prepared-answers.js'
import { publicAnswer, type PublicAnswer } from '../identifiers/public-answer.js'
import { PREFLIGHT, type PublicHeaders } from '../identifiers/public-headers.js'
import type { ServerSettings } from '../options.js'
import { contextOf } from '../request/request-context.js'
import type { ServiceAgent, ServiceMethod } from '../service-agent.js'
import { AGGREGATION, aggregationAnswer } from './aggregation.js'
import { listIdIn, listQuery } from './list-query.js'
import { LIST_METHODS, ListVersions } from './list-versions.js'
import { isWorthCompressing, preparedHeaders, type ListVersion } from './prepared-list.js'

/** The methods that the agent lacks for this route; with one missing it is not served. */
export function missingForLists(agent: ServiceAgent): ServiceMethod[] {
  const methods = new Set(agent.availableMethods())
  return LIST_METHODS.filter((method) => !methods.has(method))
}

export interface PublishedListsParts {
  settings: Pick<ServerSettings, 'agent'>
  headers: PublicHeaders
  strangers: PublicRequests
  readiness: Readiness
}

/**
 * Serves status lists at their https addresses for everybody, without an API key, in the forms that verifiers ask for.
 *
 * @see draft-ietf-oauth-status-list, section 8; W3C Bitstring Status List v1.0, section 3.2
 */
export function publishedListsRoute({
  settings: { agent },
  headers,
  strangers,
  readiness,
}: PublishedListsParts): (req: Request, res: Response) => Promise<void> {
  const answers = new PreparedAnswers(headers)
  const versions = new ListVersions(agent)
  return async (req, res) => {
    const id = req.path.slice(1)
    const context = contextOf(res)
    context.route = `${LISTS_PATH}/${id === AGGREGATION ? AGGREGATION : '{statusListId}'}`
    context.isPublic = true
    if (req.method === 'OPTIONS') return answers.sendNew(req, res, '', { status: 204, headers: PREFLIGHT })
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('allow', 'GET, HEAD')
      throw new AgentError('method_not_allowed', `${LISTS_PATH} takes GET, HEAD, not ${req.method}`)
    }
    if (readiness.isStarting) throw new AgentError('unavailable', 'the service is starting')
    await strangers.run(res, () =>
      whileWanted(res, async () => {
        const answer =
          id === AGGREGATION
            ? await aggregationAnswer(req.originalUrl, agent)
            : await listAnswer(req, contextOf(res).requestId, versions, agent)
        answers.sendNew(req, res, '', answer)
      }),
    )
  }
}

function whileWanted(res: Response, work: () => Promise<void>): Promise<void> {
  const { life } = contextOf(res)
  if (life.isOver) life.gone.throwIfAborted()
  return runWhileWanted(life, work)
}

async function listAnswer(
  req: Request,
  requestId: string,
  versions: ListVersions,
  agent: ServiceAgent,
): Promise<PublicAnswer> {
  const { time, isToCome } = listQuery(req.originalUrl, new Date())
  const location = await agent.statusListLocate({ statusListId: listIdIn(req.path) })
  const version = location && !isToCome ? await versions.find(location, time) : undefined
  if (!location || !version) {
    const past = time === undefined && !isToCome ? '' : ' of that time'
    return notFoundAnswer(`there is no status list${past} at this address`, requestId)
  }
  const mediaType = acceptedOf(req, version)
  const representation = { mediaType, gzipped: isWorthCompressing(mediaType) && asksForGzip(req) }
  const headers = preparedHeaders(version, representation)
  const answer: PublicAnswer = {
    status: 200,
    headers,
    cacheControl: (now) => (time ? cacheControlOfPast(version) : cacheControlOf(version.delivery, now)),
  }
  if (namesEntityTag(req.headers['if-none-match'], headers.etag)) return answer
  const body = await versions.body(location, version, representation)
  return body ? { ...answer, body } : notFoundAnswer('the content of the status list is not kept', requestId)
}

/** What was followed by another version stays the version of that time. */
const cacheControlOfPast = ({ metadata }: ListVersion): string =>
  metadata.nextVersionId === null ? REVALIDATE : IMMUTABLE

/** @throws AgentError `not_acceptable` */
function acceptedOf(req: Request, { mediaTypes }: ListVersion): string {
  const [usual = ''] = mediaTypes
  // nothing at all is no preference
  if ((req.headers.accept ?? '').trim() === '') return usual
  const accepted = req.accepts([...mediaTypes])
  if (typeof accepted === 'string') return accepted
  const message = `names no form that there is of this list: ${mediaTypes.join(', ')}`
  throw problemsError('not_acceptable', [{ path: 'accept', message }])
}

const asksForGzip = (req: Request): boolean => req.acceptsEncodings(['gzip', 'identity']) === 'gzip'

function notFoundAnswer(message: string, requestId: string): PublicAnswer {
  const body = errorBody(new AgentError('list_not_found', message), requestId)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  return publicAnswer(404, headers, JSON.stringify(body))
}
