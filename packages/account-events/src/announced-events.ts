import { randomUUID } from 'node:crypto'
import { AgentError, log, type AnnouncedEvent, type NewAccountEvent } from '@vidimus/core-types'
import { DeferredRows, homeOfSubject, type Connection, type Database } from '@vidimus/database'
import { WorkOfAccounts, workOn, type HeldWork, type RunningKind, type Work } from '@vidimus/work'
import { insertAccountEvent } from './event-rows.js'

/** What a process is about to do outside the database, and is at until it is done. */
const KIND = 'event'

/** The outcome of an announcement. */
interface Outcome {
  announced: HeldWork
  /** `undefined`: nothing happened */
  told: 'confirmed' | 'unconfirmed' | undefined
}

/**
 * Events of changes outside the database. Each is announced beforehand and published afterwards, so that none is
 * lost: if a process ends in between, any other publishes its events as unconfirmed.
 */
export class AnnouncedEvents {
  private readonly outcomes: DeferredRows<Outcome>
  private readonly work: Work

  constructor(
    private readonly database: Database,
    private readonly clock: () => Date,
  ) {
    this.outcomes = new DeferredRows(database, tellOne)
    this.work = workOn(database)
  }

  /** @throws AgentError `unavailable` */
  async announce(account: string, event: NewAccountEvent): Promise<AnnouncedEvent> {
    const announced = await this.work.callers.begin(KIND, {
      home: homeOfSubject(event.subject, account),
      key: randomUUID(),
      owner: account,
      since: this.clock(),
      payload: JSON.stringify(event),
    })
    const add = (connection: Connection) => Promise.resolve(this.work.callers.add(connection, announced))
    const tell = (told: Outcome['told']) => void this.outcomes.add({ announced, told })
    try {
      await this.database.write(add)
    } catch (error) {
      // It may be stored all the same.
      tell(undefined)
      throw error
    }
    return {
      happened: () => tell('confirmed'),
      didNotHappen: () => tell(undefined),
      mayHaveHappened: () => tell('unconfirmed'),
    }
  }

  /** Stores what became of announcements. Never rejects. */
  flush(): Promise<void> {
    return this.outcomes.flush()
  }

  /** @throws AgentError `unavailable`, saying how many events wait */
  mustBeStored(): void {
    if (!this.outcomes.failing) return
    throw new AgentError('unavailable', `${this.outcomes.length} events have not been written yet`)
  }

  /** Publishes what was announced by processes that are gone, now and from then on. */
  begin(): RunningKind {
    return this.work.run({
      name: KIND,
      ...{ most: 8, share: 4 },
      handle: async (announced) => {
        await this.database.write((connection) => tellOne(connection, { announced, told: 'unconfirmed' }))
        return { isDone: true }
      },
      onFailure: (error) => log('warn', 'an event could not be published yet', {}, error),
    })
  }

  /** What is there at this moment. */
  async tellAll(): Promise<void> {
    await this.flush()
    const running = this.begin()
    await this.work.releaseGone()
    await running.drain()
  }

  stop(): Promise<void> {
    return this.work.stop(KIND)
  }

  /** Those of an account. */
  rows(): WorkOfAccounts {
    return new WorkOfAccounts(this.database, KIND, 'events that are announced')
  }
}

/** Does nothing if another process considered this one gone and has published it already. */
async function tellOne(connection: Connection, { announced, told }: Outcome): Promise<void> {
  if ((await announced.settle(connection)) === 'lost' || told === undefined) return
  const { owner, payload = '', since = announced.begun } = announced.item
  const event = JSON.parse(payload) as NewAccountEvent
  const data = told === 'unconfirmed' ? { ...event.data, confirmed: false } : event.data
  insertAccountEvent(connection, owner, { ...event, ...(data && { data }) }, since.toISOString())
}
