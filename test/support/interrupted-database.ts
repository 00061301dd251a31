import { AgentError } from '@vidimus/core-types'
import { Database, type Connection, type Reader, type Sql, type WriteOptions } from '@vidimus/database'

/** Where and how the work with a database is interrupted. */
export interface Interruption {
  /** which of the accesses from now on: reads, statements of transactions and COMMITs; or the COMMIT of such a statement, which its values follow */
  at: number | RegExp
  /** of a COMMIT: before it, or after it was done, so that nobody hears of it; otherwise the same */
  when: 'before' | 'after'
  /** the database stays away until {@link InterruptedDatabase.restore} */
  forGood: boolean
}

/** The real database, of which one access fails, or all from one on. */
export class InterruptedDatabase extends Database {
  private planned: Interruption | undefined
  private accesses = 0
  private away = false
  /** added to the clock */
  later = 0
  /** other processes seem to be gone, as one that is frozen does */
  alone = false
  /** whether the interruption has happened */
  interrupted = false

  interrupt(planned: Interruption): void {
    this.planned = planned
    this.accesses = 0
    this.interrupted = false
  }

  restore(): void {
    this.planned = undefined
    this.away = false
  }

  override query<Row>(statement: Sql): Promise<Row[]> {
    return this.access(() => super.query<Row>(statement))
  }

  override remember<T>(
    homes: readonly number[],
    key: string,
    read: (reader: Reader) => Promise<T>,
  ): Promise<T> {
    return this.access(() => super.remember(homes, key, read))
  }

  override lock(name: Parameters<Database['lock']>[0]): ReturnType<Database['lock']> {
    return this.access(() => super.lock(name))
  }

  override presence(): Promise<string> {
    return this.access(() => super.presence())
  }

  override async isPresent(id: string): Promise<boolean> {
    return !this.alone && (await super.isPresent(id))
  }

  override async now(): Promise<Date> {
    return new Date((await this.access(() => super.now())).getTime() + this.later)
  }

  override async write<T>(
    work: (connection: Connection) => Promise<T> | T,
    options?: WriteOptions,
  ): Promise<T> {
    let lost = false
    const { at, when } = this.planned ?? {}
    let isMeant = false
    const seen = (statement: Sql) => {
      if (at instanceof RegExp)
        isMeant ||= at.test(`${statement.fragments.join('?')} ${statement.values.join()}`)
      return statement
    }
    const result = await super.write(async (connection) => {
      const value = await work({
        query: <Row>(statement: Sql) => this.access(() => connection.query<Row>(seen(statement))),
        queryApart: <Row>(statement: Sql) => this.access(() => connection.queryApart<Row>(statement)),
        run: (statement) => this.access(() => connection.run(seen(statement))),
        send: (statement, refused) => {
          if (this.isHit()) throw gone()
          connection.send(seen(statement), refused)
        },
        whenCommitted: (then) => connection.whenCommitted(then),
        shared: connection.shared,
      })
      lost = this.isHit(isMeant)
      if (lost && when !== 'after') throw gone()
      return value
    }, options)
    if (lost) throw unconfirmed()
    return result
  }

  private async access<T>(work: () => Promise<T>): Promise<T> {
    if (this.isHit()) throw gone()
    return work()
  }

  private isHit(isMeant = false): boolean {
    if (this.away) return true
    this.accesses += 1
    const { planned } = this
    if (!planned || (!isMeant && this.accesses !== planned.at)) return false
    this.planned = undefined
    this.interrupted = true
    this.away = planned.forGood
    return true
  }
}

const gone = () => new AgentError('unavailable', 'the database cannot be reached')

const unconfirmed = () => new AgentError('outcome_unknown', 'the database has not confirmed the change')
