import { useLoaded } from '../parts/use-loaded.js'
import { useSession, type Session } from '../session.js'

/** What the service says of a type of status list, also of one that a plugin brought. */
export interface ListTypeFacts {
  type: string
  purposes: string[]
  /** bits of an entry that can be chosen */
  statusSizes: number[]
}

/** The types of the service; empty while they are not known, and where the key or the service does not let them be asked. */
export function useListTypes(wanted = true): readonly ListTypeFacts[] {
  const session = useSession()
  const read = () => (wanted ? readListTypes(session) : Promise.resolve([]))
  return useLoaded(`list types ${wanted}`, read).value ?? []
}

/** It is no operation of the REST API, but a method of the agent. */
async function readListTypes({ base, apiKey }: Pick<Session, 'base' | 'apiKey'>): Promise<ListTypeFacts[]> {
  const answer = await fetch(`${base}/agent/statusListTypes`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: '{}',
    redirect: 'error',
  })
  return answer.ok ? ((await answer.json()) as ListTypeFacts[]) : []
}
