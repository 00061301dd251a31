import { AgentError, LISTS_PATH, problemsError, runWhileWanted } from '@vidimus/core-types'
import type { Request, Response } from 'express'
import type { PublicRequests } from '../admission/public-requests.js'
import { errorBody } from '../errors/error-body.js'
import type { Readiness } from '../health/readiness.js'
import { answerBody, answerNotModified } from '../identifiers/answer-body.js'
import { cacheControlOf, IMMUTABLE, REVALIDATE } from '../identifiers/cache-control.js'
import { answerPreflight, setPublicHeaders } from '../identifiers/public-headers.js'
import type { ServerSettings } from '../options.js'
import { contextOf } from '../request/request-context.js'
import type { ServiceAgent, ServiceMethod } from '../service-agent.js'
import { answerAggregation, AGGREGATION } from './aggregation.js'
import { listQuery } from './list-query.js'
import { LIST_METHODS, ListVersions } from './list-versions.js'
import { isWorthCompressing, preparedHeaders, type ListVersion } from './prepared-list.js'

/** The methods that the agent lacks for this route; with one missing it is not served. */
export function missingForLists(agent: ServiceAgent): ServiceMethod[] {
  const methods = new Set(agent.availableMethods())
  return LIST_METHODS.filter((method) => !methods.has(method))
}

export interface PublishedListsParts {
  settings: Pick<ServerSettings, 'agent'>
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
  strangers,
  readiness,
}: PublishedListsParts): (req: Request, res: Response) => Promise<void> {
  const versions = new ListVersions(agent)
  return async (req, res) => {
    const [, id = '', ...rest] = req.path.split('/')
    const isAggregation = id === AGGREGATION && rest.length === 0
    contextOf(res).route = `${LISTS_PATH}/${isAggregation ? AGGREGATION : '{statusListId}'}`
    setPublicHeaders(res)
    if (req.method === 'OPTIONS') return answerPreflight(res)
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('allow', 'GET, HEAD')
      throw new AgentError('method_not_allowed', `${LISTS_PATH} takes GET, HEAD, not ${req.method}`)
    }
    if (readiness.isStarting) throw new AgentError('unavailable', 'the service is starting')
    const answer = () =>
      isAggregation ? answerAggregation(req, res, agent) : answerList(req, res, versions, agent)
    await strangers.run(res, () => whileWanted(res, answer))
  }
}

function whileWanted(res: Response, work: () => Promise<void>): Promise<void> {
  const { gone } = contextOf(res).life
  gone.throwIfAborted()
  return runWhileWanted(gone, work)
}

async function answerList(
  req: Request,
  res: Response,
  versions: ListVersions,
  agent: ServiceAgent,
): Promise<void> {
  const now = new Date()
  const { time, isToCome } = listQuery(req.originalUrl, now)
  const location = await agent.statusListLocate({ statusListId: req.path.slice(1) })
  const version = location && !isToCome ? await versions.find(location, time) : undefined
  if (!location || !version) {
    const past = time === undefined && !isToCome ? '' : ' of that time'
    return answerNotFound(res, `there is no status list${past} at this address`)
  }
  const representation = {
    mediaType: acceptedOf(req, version),
    gzipped: false,
  }
  representation.gzipped = isWorthCompressing(representation.mediaType) && asksForGzip(req)
  const headers = {
    ...preparedHeaders(version, representation),
    'cache-control': time ? cacheControlOfPast(version) : cacheControlOf(version.delivery, now),
    vary: 'accept, accept-encoding',
  }
  if (answerNotModified(req, res, headers)) return
  const body = await versions.body(location, version, representation)
  if (body) answerBody(res, 200, headers, body)
  else answerNotFound(res, 'the content of the status list is not kept')
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

function answerNotFound(res: Response, message: string): void {
  const body = errorBody(new AgentError('list_not_found', message), contextOf(res).requestId)
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  answerBody(res, 404, headers, JSON.stringify(body))
}
