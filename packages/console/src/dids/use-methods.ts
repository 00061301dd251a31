import { useLoaded } from '../parts/use-loaded.js'
import { useSession } from '../session.js'

/** What the service can do with the DIDs of one method. */
export interface DidMethod {
  /** name of the method: `cheqd` of did:cheqd */
  name: string
  provider: string
  creatable: boolean
  updatable: boolean
  deactivatable: boolean
}

/** The methods whose DIDs the service creates and changes; none until they are read, or if the key may not ask. */
export function useMethods(): readonly DidMethod[] {
  const { client } = useSession()
  const { value } = useLoaded('methods', async () => {
    const methods = (await client.get('/1.0/properties').catch(() => ({}))) as Record<
      string,
      Omit<DidMethod, 'name'>
    >
    return Object.entries(methods).map(([name, facts]) => ({ ...facts, name }))
  })
  return value ?? []
}

export const methodOf = (did: string): string => did.split(':')[1] ?? ''
