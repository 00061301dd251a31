import { useEffect } from 'preact/hooks'
import { counted, Time } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import type { ListName } from '../routes.js'
import { useSession } from '../session.js'

/** After a beat the new version needs a moment. */
const AFTER_BEAT_MS = 1000
/** Timers of browsers go no further. */
const LONGEST_MS = 2 ** 31 - 1

/** What waits for the next version of a list that publishes at intervals; nothing for others. */
export function WaitingChanges({
  name,
  changed,
  onBeat,
}: {
  name: ListName
  /** differs whenever the list may have changed */
  changed: number
  onBeat: () => void
}) {
  const { client } = useSession()
  const { did, statusListName, listType } = name
  const { value } = useLoaded(`pace ${JSON.stringify(name)} ${changed}`, () =>
    client.get('/credential-status/search', { params: { query: { did, statusListName, listType } } }),
  )
  const { publishEvery, always, waiting = 0, visibleFrom } = value ?? {}
  useEffect(() => {
    if (visibleFrom === undefined) return
    const wait = Date.parse(visibleFrom) - Date.now() + AFTER_BEAT_MS
    const timer = setTimeout(onBeat, Math.min(Math.max(wait, AFTER_BEAT_MS), LONGEST_MS))
    return () => clearTimeout(timer)
  }, [visibleFrom, value])
  if (publishEvery === undefined) return null
  return (
    <p class="note" role="status">
      This list publishes at intervals ({publishEvery}){always && ', even without changes'}.{' '}
      {waiting > 0
        ? `${counted(waiting, 'changed entry waits', 'changed entries wait')}; verifiers see `
        : ''}
      {waiting > 0 && visibleFrom !== undefined && (
        <>
          {waiting === 1 ? 'it' : 'them'} from <Time at={visibleFrom} />.
        </>
      )}
      {waiting === 0 && 'No changes wait.'}
    </p>
  )
}
