import { randomUUID } from 'node:crypto'
import { AgentError, type AnnouncedEvent, type NewAccountEvent } from '@vidimus/core-types'
import { DeferredRows, homeOfSubject, sql, type Connection, type Database } from '@vidimus/database'
import { insertAccountEvent } from './event-rows.js'

/** The key of an announcement. */
interface Announcement {
  home: number
  id: string
}

/** The outcome of an announcement. */
interface Outcome extends Announcement {
  /** `undefined`: nothing happened */
  told: 'confirmed' | 'unconfirmed' | undefined
}

interface AnnouncedRow {
  account_id: string
  time: string
  type: NewAccountEvent['type']
  subject: string
  details: string | null
}

/** Announcements of absent processes that are published in one transaction. */
const TOGETHER = 200
const OF_PROCESS = { spans: 'what a process that is gone had announced, in portions' }

/**
 * Events of changes outside the database. Each is announced beforehand and published afterwards, so that none is
 * lost: if a process ends in between, any other publishes its events as unconfirmed.
 */
export class AnnouncedEvents {
  private readonly outcomes: DeferredRows<Outcome>

  constructor(
    private readonly database: Database,
    private readonly clock: () => Date,
  ) {
    this.outcomes = new DeferredRows(database, tellOne)
  }

  /** @throws AgentError `unavailable` */
  async announce(accountId: string, { type, subject, data }: NewAccountEvent): Promise<AnnouncedEvent> {
    const [home, id] = [homeOfSubject(subject, accountId), randomUUID()]
    const holder = await this.database.presence()
    const time = this.clock().toISOString()
    await this.database.write((connection) =>
      connection.run(
        sql`INSERT INTO announced_event (home, id, holder, account_id, time, type, subject, details)
          VALUES (${home}, ${id}, ${holder}, ${accountId}, ${time}, ${type}, ${subject},
            ${data ? JSON.stringify(data) : null})`,
      ),
    )
    const tell = (told: Outcome['told']) => void this.outcomes.add({ home, id, told })
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

  /** Publishes what was announced by processes that are gone. */
  async tellUnconfirmed(): Promise<void> {
    await this.flush()
    const own = await this.database.presence()
    const holders = await this.database.query<{ holder: string }>(
      sql`SELECT DISTINCT holder FROM announced_event WHERE holder <> ${own}`,
    )
    for (const { holder } of holders) {
      if (!(await this.database.isPresent(holder))) await this.tellAnnounced(holder)
    }
  }

  private async tellAnnounced(holder: string): Promise<void> {
    for (let told = TOGETHER; told === TOGETHER;) {
      told = await this.database.write(async (connection) => {
        const rows = await connection.query<Announcement>(
          sql`SELECT home, id FROM announced_event WHERE holder = ${holder} ORDER BY time LIMIT ${TOGETHER}`,
        )
        for (const row of rows) await tellOne(connection, { ...row, told: 'unconfirmed' })
        return rows.length
      }, OF_PROCESS)
    }
  }
}

/** Does nothing if another process considered this one gone and has published it already. */
async function tellOne(connection: Connection, { home, id, told }: Outcome): Promise<void> {
  const [row] = await connection.query<AnnouncedRow>(
    sql`SELECT account_id, time, type, subject, details FROM announced_event WHERE home = ${home} AND id = ${id}`,
  )
  if (!row) return
  connection.send(sql`DELETE FROM announced_event WHERE home = ${home} AND id = ${id}`)
  if (told === undefined) return
  const { account_id: accountId, type, subject, details, time } = row
  const known = details === null ? undefined : (JSON.parse(details) as Record<string, unknown>)
  const data = told === 'unconfirmed' ? { ...known, confirmed: false } : known
  insertAccountEvent(connection, accountId, { type, subject, ...(data && { data }) }, time)
}
