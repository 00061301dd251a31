import { isDid, problemsError } from '@vidimus/core-types'
import { entityTagOf } from '../answers/entity-tag.js'
import { publicAnswer, type PublicAnswer } from '../identifiers/public-answer.js'
import type { ServiceAgent } from '../service-agent.js'

/** The path that lists the addresses of all token status lists. */
export const AGGREGATION = 'aggregation'

/** New lists are rare and not urgent. */
const CACHE_CONTROL = 'public, max-age=60'

/**
 * Returns the addresses of all token status lists that are identified by an https address; with `did` those of one
 * publisher.
 *
 * @throws AgentError `invalid_input`
 * @see draft-ietf-oauth-status-list, section 9
 */
export async function aggregationAnswer(url: string, agent: ServiceAgent): Promise<PublicAnswer> {
  const did = publisherIn(url)
  const { urls } = await agent.statusListAggregation(did === undefined ? {} : { did })
  const body = JSON.stringify({ status_lists: urls })
  const headers = {
    'content-type': 'application/json',
    'cache-control': CACHE_CONTROL,
    etag: entityTagOf(body),
  }
  return publicAnswer(200, headers, body)
}

function publisherIn(url: string): string | undefined {
  const { searchParams } = new URL(url, 'https://localhost')
  const names = [...searchParams.keys()]
  if (names.length === 0) return undefined
  const did = searchParams.get('did')
  if (names.length === 1 && isDid(did)) return did
  throw problemsError('invalid_input', [
    { path: 'did', message: 'is the only parameter, and must be the DID of a publisher' },
  ])
}
