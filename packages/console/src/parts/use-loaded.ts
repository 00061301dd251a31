import { ApiError } from '@vidimus/client'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { KEY_REFUSED, failureSentence, useSession } from '../session.js'

export interface Loaded<T> {
  value?: T
  error?: string
  loading: boolean
  reload: () => void
}

/** Loads a value from the service, again whenever `key` changes. */
export function useLoaded<T>(key: string, read: () => Promise<T>): Loaded<T> {
  const { signOut } = useSession()
  const [state, setState] = useState<{ key: string; value?: T; error?: string; loading: boolean }>({
    key,
    loading: true,
  })
  const [reloads, setReloads] = useState(0)
  useEffect(() => {
    let current = true
    setState((old) => ({ ...(old.key === key ? old : { key }), loading: true }))
    read().then(
      (value) => current && setState({ key, value, loading: false }),
      (error: unknown) => {
        if (!current) return
        if (isRefusedKey(error)) signOut(KEY_REFUSED)
        else setState({ key, error: failureSentence(error), loading: false })
      },
    )
    return () => {
      current = false
    }
  }, [key, reloads])
  const reload = useCallback(() => setReloads((n) => n + 1), [])
  const { value, error, loading } = state.key === key ? state : { loading: true }
  return { ...(value !== undefined && { value }), ...(error !== undefined && { error }), loading, reload }
}

/** Between two looks at something that is under way, in milliseconds. */
const PAUSE_MS = 1000

/** Loads a value again and again while something of it is under way, and the page is open. */
export function usePolling<T>(
  { value, reload }: { value?: T | undefined; reload: () => void },
  goesOn: (value: T) => boolean,
) {
  useEffect(() => {
    if (value === undefined || !goesOn(value)) return
    const timer = setTimeout(reload, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
}

export const isRefusedKey = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** Runs an action, with its busy state and error. */
export function useAction<Args extends unknown[]>(work: (...args: Args) => Promise<void>) {
  const { signOut } = useSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const run = (...args: Args) => {
    setBusy(true)
    setError(undefined)
    work(...args)
      .catch((error: unknown) => {
        if (isRefusedKey(error)) signOut(KEY_REFUSED)
        else setError(failureSentence(error))
      })
      .finally(() => setBusy(false))
  }
  return { run, busy, error, clear: () => setError(undefined) }
}
