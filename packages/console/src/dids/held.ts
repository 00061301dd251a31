import { ApiError } from '@vidimus/client'
import { useLoaded, type Loaded } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'

/** Whether the account holds a DID, as far as the key may see. */
export interface Held {
  /** the account's data about it: `null` is nothing; absent: unknown */
  value?: HeldDid | null
  error?: string
  /** changes of what belongs to it may succeed */
  mayChange: boolean
}

export interface HeldDid {
  keys: { kid: string; type: string; kms: string }[]
  controllerKeyId?: string
}

/** Reads the account's data about a DID. If the key may not read it, the service decides later. */
export function useHeld(did: string): Held {
  const { client } = useSession()
  const mayNotAsk = useWhyNot()('did-read', did) !== undefined
  const { value, error, loading } = useLoaded<HeldDid | null>(`held ${did}`, () =>
    client.get('/did/read/{did}', { params: { path: { did } } }).catch(noneIfUnknown),
  )
  return {
    ...(value !== undefined && { value }),
    ...(error !== undefined && { error }),
    mayChange: mayNotAsk || isHeld({ ...(value !== undefined && { value }), loading }),
  }
}

/**
 * Whether the account holds the DID. After an error it is unknown, and no change is offered.
 *
 * @param held - `null` if the account has none
 */
export const isHeld = ({ value, loading }: Pick<Loaded<unknown>, 'value' | 'loading'>): boolean =>
  !loading && value !== null && value !== undefined

/** `null` for a 404; throws every other error. */
export const noneIfUnknown = (error: unknown): null => {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
