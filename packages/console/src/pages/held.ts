import { ApiError } from '@vidimus/client'
import { useLoaded, type Loaded } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'

/** Whether the account holds a DID, as far as the key may see. */
export interface Held {
  /** the account's data about it: `null` is nothing; absent: unknown */
  value?: HeldDid | null
  error?: string
  /** it may be worth trying to change what belongs to it */
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
 * Whether the account holds the DID. An error means neither yes nor no, and nothing is offered on a guess.
 *
 * @param held - `null` if the account has none
 */
export const isHeld = ({ value, loading }: Pick<Loaded<unknown>, 'value' | 'loading'>): boolean =>
  !loading && value !== null && value !== undefined

/** What does not exist is `null`; every other error is thrown. */
export const noneIfUnknown = (error: unknown): null => {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}
