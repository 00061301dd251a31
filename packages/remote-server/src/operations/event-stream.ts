import type { ServiceAgent } from '../service-agent.js'
import type { StreamedEvent } from '../operation.js'

/** Events passed on at a time. */
const TOGETHER = 100

/**
 * Events of the account in scope after the given one, or from now on.
 *
 * @returns a function that returns the events since its last call; an empty result does not end the stream
 * @throws AgentError `invalid_input`
 */
export async function openEventStream(
  agent: ServiceAgent,
  { after, types }: { after?: string; types?: readonly string[] },
): Promise<() => Promise<readonly StreamedEvent[]>> {
  let position = after ?? (await agent.accountEventLast())
  // A malformed id is refused before the stream begins.
  if (after !== undefined) await agent.accountEventList({ after, limit: 1 })
  return async () => {
    const last = await agent.accountEventLast()
    if (last === undefined || last === position) return []
    const { events, more } = await agent.accountEventList({
      limit: TOGETHER,
      ...(position !== undefined && { after: position }),
      ...(types && { types }),
    })
    const newest = events.at(-1)?.id
    // The batch may contain events of other types, and new ones may have arrived since.
    position = newest !== undefined && (more || newest > last) ? newest : last
    return events.map((event) => ({ id: event.id, type: event.type, data: event }))
  }
}
