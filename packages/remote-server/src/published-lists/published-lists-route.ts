import { LISTS_PATH, problemsError } from '@vidimus/core-types'
import type { Request } from 'express'
import { namesEntityTag } from '../answers/entity-tag.js'
import { cacheControlOf, IMMUTABLE, REVALIDATE } from '../identifiers/cache-control.js'
import type { PublicAnswer } from '../identifiers/public-answer.js'
import { notThereAnswer, publicReading, type PublicReadingParts } from '../identifiers/public-reading.js'
import type { ServerSettings } from '../options.js'
import type { ServiceAgent, ServiceMethod } from '../service-agent.js'
import { AGGREGATION, aggregationAnswer } from './aggregation.js'
import { listIdIn, listQuery } from './list-query.js'
import { LIST_METHODS, ListVersions } from './list-versions.js'
import { isWorthCompressing, preparedHeaders, type ListVersion } from './prepared-list.js'

/** The methods that the agent lacks for this route; if one is absent, it is not served. */
export function missingForLists(agent: ServiceAgent): ServiceMethod[] {
  const methods = new Set(agent.availableMethods())
  return LIST_METHODS.filter((method) => !methods.has(method))
}

/**
 * Serves status lists at their https addresses publicly, without an API key, in the forms that verifiers request.
 *
 * @see draft-ietf-oauth-status-list, section 8; W3C Bitstring Status List v1.0, section 3.2
 */
export function publishedListsRoute({ agent }: Pick<ServerSettings, 'agent'>, parts: PublicReadingParts) {
  const versions = new ListVersions(agent)
  return publicReading(parts, {
    routeOf: (req) => `${LISTS_PATH}/${isAggregation(req) ? AGGREGATION : '{statusListId}'}`,
    nameOf: () => LISTS_PATH,
    answer: (req, requestId) =>
      isAggregation(req)
        ? aggregationAnswer(req.originalUrl, agent)
        : listAnswer(req, requestId, versions, agent),
  })
}

const isAggregation = ({ path }: Pick<Request, 'path'>): boolean => path === `/${AGGREGATION}`

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
    return notThereAnswer('list_not_found', `there is no status list${past} at this address`, requestId)
  }
  const mediaType = acceptedListForm(req, version)
  const representation = { mediaType, gzipped: isWorthCompressing(mediaType) && asksForGzip(req) }
  const headers = preparedHeaders(version, representation)
  const answer: PublicAnswer = {
    status: 200,
    headers,
    cacheControl: (now) => (time ? cacheControlOfPast(version) : cacheControlOf(version.delivery, now)),
  }
  if (namesEntityTag(req.headers['if-none-match'], headers.etag)) return answer
  const body = await versions.body(location, version, representation)
  return body
    ? { ...answer, body }
    : notThereAnswer('list_not_found', 'the content of the status list is not stored', requestId)
}

/** A version with a successor remains the version of that time. */
const cacheControlOfPast = ({ metadata }: ListVersion): string =>
  metadata.nextVersionId === null ? REVALIDATE : IMMUTABLE

/** @throws AgentError `not_acceptable` */
function acceptedListForm(req: Request, { mediaTypes }: ListVersion): string {
  const [usual = ''] = mediaTypes
  // an empty header means no preference
  if ((req.headers.accept ?? '').trim() === '') return usual
  const accepted = req.accepts([...mediaTypes])
  if (typeof accepted === 'string') return accepted
  const message = `names no available form of this list: ${mediaTypes.join(', ')}`
  throw problemsError('not_acceptable', [{ path: 'accept', message }])
}

const asksForGzip = (req: Request): boolean => req.acceptsEncodings(['gzip', 'identity']) === 'gzip'
