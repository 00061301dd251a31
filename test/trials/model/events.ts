import { setTimeout } from 'node:timers/promises'
import type { AccountEvent } from '@vidimus/core-types'
import { isPassing, told, type Caller } from './caller.js'

const LOOK_MS = 250

/** Follows the events of the account while they come, and asks at once for what they are about. */
export async function follow(caller: Caller): Promise<readonly AccountEvent[]> {
  const { world, random } = caller
  const seen: AccountEvent[] = []
  while (!world.isOver()) {
    const after = seen.at(-1)?.id
    const said = await caller.ask('GET', '/account/events', {
      query: { limit: '1000', ...(after !== undefined && { after }) },
    })
    const { events } = said.kind === 'done' ? (said.body as { events: AccountEvent[] }) : { events: [] }
    seen.push(...events)
    if (events.length > 0) await isThere(caller, random.pick(events))
    await setTimeout(LOOK_MS)
  }
  return seen
}

/** What an event tells of has happened. */
export async function isThere(caller: Caller, { type, data }: AccountEvent): Promise<void> {
  if (type !== 'list.created' && type !== 'list.updated') return
  const { did, versionId, confirmed } = data as { did: string; versionId: string; confirmed?: boolean }
  if (confirmed === false) return
  const path = `/1.0/identifiers/${did}/resources/${versionId}/metadata`
  const said = await caller.ask('GET', path)
  const isMissing = said.kind === 'refused' && !isPassing(said) && said.status !== 410
  caller.facts.hold(
    !isMissing,
    () => `in order: an event tells of ${versionId} of ${did}, which is not there: ${told(said)}`,
  )
}
