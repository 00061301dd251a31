import { LISTS_PATH, problemsError, pointInTime, type Problem } from '@vidimus/core-types'
import type { Request } from 'express'
import { namesEntityTag } from '../answers/entity-tag.js'
import { cacheControlOf, IMMUTABLE, REVALIDATE } from '../identifiers/cache-control.js'
import type { PublicAnswer } from '../identifiers/public-answer.js'
import { notThereAnswer, publicReading, type PublicReadingParts } from '../identifiers/public-reading.js'
import type { ServerSettings } from '../options.js'
import type { ServiceAgent, ServiceMethod } from '../service-agent.js'
import { flawOfText, malformedBody } from '../input/malformed-body.js'
import { AGGREGATION, aggregationAnswer } from './aggregation.js'
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

/** Tolerated clock skew of clients into the future, in milliseconds. */
const AHEAD_MS = 60_000
const SECONDS = /^\d{1,12}$/

/** The requested time of the version; absent: now. */
interface ListQuery {
  time?: Date
  /** in the future, for which no version is known */
  isToCome?: true
}

/**
 * The id of the list in a path.
 *
 * @param path - below that of status lists, as sent
 * @throws AgentError `malformed_body`
 */
function listIdIn(path: string): string {
  let id: string
  try {
    id = decodeURIComponent(path.slice(1))
  } catch {
    throw malformedBody('statusListId', 'is not percent-encoded UTF-8', 'path')
  }
  const flaw = flawOfText(id)
  if (flaw !== undefined) throw malformedBody('statusListId', flaw, 'path')
  return id
}

/**
 * Reads `time` in seconds since 1970 (Token Status List, section 8.4), or `timestamp` (Bitstring Status List, section 3.2).
 *
 * @throws AgentError `invalid_input`
 */
function listQuery(url: string, now: Date): ListQuery {
  const { searchParams } = new URL(url, 'https://localhost')
  const problems: Problem[] = []
  const names = [...searchParams.keys()]
  for (const name of names.filter((one) => one !== 'time' && one !== 'timestamp')) {
    problems.push({ path: name.slice(0, 100), message: 'is not a parameter; known: time, timestamp' })
  }
  if (names.length > 1) problems.push({ path: '', message: 'give either time or timestamp, once' })
  const time = searchParams.get('time')
  const timestamp = searchParams.get('timestamp')
  if (time !== null && !SECONDS.test(time)) {
    problems.push({ path: 'time', message: 'must be in whole seconds since 1970' })
  }
  const moment = timestamp === null ? undefined : pointInTime(timestamp)
  if (timestamp !== null && moment === undefined) {
    problems.push({ path: 'timestamp', message: 'must be a date and time with Z or an offset' })
  }
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  if (time === null && moment === undefined) return {}
  const asked = time === null ? new Date(String(moment)) : new Date(Number(time) * 1000)
  return asked.getTime() > now.getTime() + AHEAD_MS ? { isToCome: true } : { time: asked }
}
