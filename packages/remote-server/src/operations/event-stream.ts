import type { ServiceAgent } from '../service-agent.js'
import type { StreamedEvent } from '../operation.js'

/** Events handed over at a time. */
const TOGETHER = 100

/**
 * Events of the account in scope after the one named, or from now on.
 *
 * @returns what gives those that have come since it was asked last; none does not mean that none will come
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
    // What is of other types was looked at as well; and some may have come since the last was looked up.
    position = newest !== undefined && (more || newest > last) ? newest : last
    return events.map((event) => ({ id: event.id, type: event.type, data: event }))
  }
}
