import { problemsError, type PublicationOutbox, type StatusListUpdateResult } from '@vidimus/core-types'
import { listNamed } from '../versions/list-location.js'
import type { UpdateOutcome } from './applied-batch.js'

/** The part of a result that reports whether the static publication has the version as well. */
type Awaited = Pick<StatusListUpdateResult, 'publication'>

/**
 * @returns a function that waits for the version of an update, if the caller wants that
 * @throws AgentError `invalid_input` if nothing is published elsewhere
 */
export function demandPublication(
  { publication: wish }: { publication?: 'wait' | undefined },
  { publication }: { publication?: PublicationOutbox | undefined },
): (outcome: UpdateOutcome) => Promise<Awaited> {
  if (wish === undefined) return () => Promise.resolve({})
  if (!publication)
    throw problemsError('invalid_input', [
      { path: 'publication', message: 'is not possible: this service has no static publication' },
    ])
  return async ({ published: { metadata }, pace }) => {
    // The version of a later time is not waited for.
    if (pace?.published === false) return { publication: 'pending' }
    const { resourceURI, resourceName, resourceType } = metadata
    const did = resourceURI.slice(0, resourceURI.indexOf('/'))
    const name = listNamed({ did, statusListName: resourceName })
    const isDone = await publication.published({ kind: 'list', ...name, resourceType })
    return { publication: isDone ? 'done' : 'pending' }
  }
}
