import { AFTER_RESTORE, AgentError, isAgentError, type Publisher } from '@vidimus/core-types'
import { sql, type Connection, type Database } from '@vidimus/database'

/**
 * Counts the passes that write to a target, first in the database and then in the target: a target with the greater
 * number was written from changes that the database has forgotten.
 */
export class PassCount {
  constructor(
    private readonly database: Database,
    private readonly publisher: Publisher,
  ) {}

  /** Before a pass writes. @throws AgentError `version_conflict` if the target is ahead, `unavailable` */
  async next(): Promise<void> {
    const there = await this.publisher.lastPass()
    const pass = await this.database.write(async (connection) => {
      const here = await this.read(connection)
      if (there > here) throw aheadError(this.publisher.place)
      await this.set(connection, here + 1)
      return here + 1
    })
    await this.publisher.notePass(pass)
  }

  /** Whether the target has passes that the database does not know. @throws AgentError `unavailable` */
  async isBehind(): Promise<boolean> {
    // In this order, as others may be publishing.
    const there = await this.publisher.lastPass()
    return there > (await this.read(this.database))
  }

  /** Continues after the last pass of the target. */
  async catchUp(): Promise<void> {
    const there = await this.publisher.lastPass()
    await this.database.write(async (connection) => {
      if (there > (await this.read(connection))) await this.set(connection, there)
    })
  }

  private async read(reader: Pick<Connection, 'query'>): Promise<number> {
    const [row] = await reader.query<{ pass: number | string }>(
      sql`SELECT pass FROM publication_pass WHERE place = ${this.publisher.place}`,
    )
    return Number(row?.pass ?? 0)
  }

  private async set(connection: Connection, pass: number): Promise<void> {
    await connection.run(
      sql`INSERT INTO publication_pass (place, pass) VALUES (${this.publisher.place}, ${pass})
        ON CONFLICT (place) DO UPDATE SET pass = excluded.pass`,
    )
  }
}

/** What a target that is ahead shows, as the beginning of a sentence. */
export const aheadOfDatabase = (place: string): string =>
  `the static publication (${place}) is ahead of the database`

const aheadError = (place: string): AgentError =>
  new AgentError('version_conflict', `${aheadOfDatabase(place)}: ${AFTER_RESTORE}`)

/** For a look that must not fail because the target is away: it is looked at again before anything is written. */
export async function unlessAway(look: Promise<boolean>): Promise<boolean> {
  try {
    return await look
  } catch (error) {
    if (isAgentError(error) && error.code === 'unavailable') return false
    throw error
  }
}
