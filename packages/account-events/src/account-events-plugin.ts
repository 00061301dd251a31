import type { IAgentPlugin } from '@veramo/core-types'
import {
  RepeatedPasses,
  requireMethods,
  type CheckResult,
  type HasLifecycle,
  type IAccountEvents,
  type Lifecycle,
} from '@vidimus/core-types'
import { accountEventsSchema } from './account-events-schema.js'
import { demandLimit, demandPosition, type Events } from './events.js'

const SWEEP_EVERY_MS = 3_600_000

/**
 * Agent plugin: lets accounts see their events and have them delivered. While it runs, this process takes part in the
 * deliveries of all accounts.
 */
export class AccountEventsPlugin implements IAgentPlugin, HasLifecycle {
  readonly methods: IAccountEvents
  readonly schema = accountEventsSchema()
  readonly lifecycle: Lifecycle

  /** @throws AgentError `invalid_configuration` */
  constructor(events: Events) {
    requireMethods(events, ['list', 'announce', 'deliver'], 'Events of @vidimus/account-events')
    const { webhooks } = events
    this.methods = {
      accountEventList: (args) => events.list(args ?? {}),
      accountEventLast: () => events.last(),
      webhookCreate: (args) => webhooks.create(args),
      webhookList: (args) => webhooks.list(args ?? {}),
      webhookUsage: () => webhooks.usage(),
      webhookRevoke: ({ id }) => webhooks.revoke(id),
      webhookResume: ({ id }) => webhooks.resume(id),
      webhookDeadLetters: ({ id, after, limit = 100 }) =>
        webhooks.deadLetters(id, { after: demandPosition(after), limit: demandLimit(limit) }),
      webhookReplay: ({ id, events: ids }) => webhooks.replay(id, ids),
    }
    const places = new RepeatedPasses({ work: 'order of events', pauseMs: events.pollMs })
    const sweeps = new RepeatedPasses({ work: 'deletion of old events', pauseMs: SWEEP_EVERY_MS })
    this.lifecycle = {
      start: () => {
        if (events.isReadOnly) return Promise.resolve()
        places.begin(() => events.place(), 'now')
        events.beginTelling()
        events.deliver()
        sweeps.begin(() => events.sweep(), 'now')
        return Promise.resolve()
      },
      stop: async () => {
        await Promise.all([places, sweeps].map((work) => work.stop()))
      },
      check: () => Promise.resolve([deliveryCheck(places)]),
    }
  }
}

function deliveryCheck({ isFailing }: RepeatedPasses): CheckResult {
  const name = 'webhooks'
  if (!isFailing) return { name, ok: true }
  return { name, ok: false, message: 'the last pass failed and will be retried' }
}
