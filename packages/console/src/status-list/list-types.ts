import { useLoaded } from '../parts/use-loaded.js'
import { useSession, type Session } from '../session.js'

/** The service's data about a status list type, including those of plugins. */
export interface ListTypeFacts {
  type: string
  purposes: string[]
  /** bits of an entry that can be chosen */
  statusSizes: number[]
}

/**
 * The types of the service; empty while they are unknown, and if the key or the service does not allow reading them.
 */
export function useListTypes(wanted = true): readonly ListTypeFacts[] {
  const session = useSession()
  const read = () => (wanted ? readListTypes(session) : Promise.resolve([]))
  return useLoaded(`list types ${wanted}`, read).value ?? []
}

/** It is not an operation of the REST API, but a method of the agent. */
async function readListTypes({ base, apiKey }: Pick<Session, 'base' | 'apiKey'>): Promise<ListTypeFacts[]> {
  const answer = await fetch(`${base}/agent/statusListTypes`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: '{}',
    redirect: 'error',
  })
  return answer.ok ? ((await answer.json()) as ListTypeFacts[]) : []
}
