import { Cache, type Counter } from '@vidimus/core-types'
import type { Reader } from './connection.js'
import type { Dialect, Sql } from './sql.js'

/**
 * Queries whose rows are remembered until anything in the database changes, by this process or by another.
 *
 * Each call asks the database what tells its states apart, several calls together, and always after they were made:
 * what was committed before a call is in its answer.
 */
export class RememberedQueries {
  private readonly rows = new Cache<readonly unknown[]>('query')
  /** asked since the last change; another map after the next one */
  private asked = new Map<string, Promise<readonly unknown[]>>()
  private version: unknown
  private asking: Promise<void> | undefined
  private next: Promise<void> | undefined

  /**
   * @param reader - one that nobody writes with
   * @param state - answers with one value in one row, another one after every COMMIT
   * @param counted - how often rows were remembered, and how often not
   */
  constructor(
    private readonly reader: Reader,
    private readonly state: Sql,
    private readonly dialect: Dialect,
    private readonly counted?: Counter,
  ) {}

  /** @returns rows that several callers share: nobody may change them */
  async query<Row>(statement: Sql): Promise<readonly Row[]> {
    await this.forgetIfChanged()
    const key = `${statement.text(this.dialect)} ${JSON.stringify(statement.values)}`
    const known = this.rows.get(key) ?? this.asked.get(key)
    this.counted?.add(1, known ? 'hit' : 'miss')
    return (known ?? this.remember(key, this.reader.query<Row>(statement))) as Promise<readonly Row[]>
  }

  /** Also once the database is closed: nobody else would. */
  forget(): void {
    this.rows.clear()
    this.asked = new Map()
  }

  /** Those who ask meanwhile share the answer. A failure is not remembered; whoever asked gets it. */
  private async remember<Row>(key: string, answer: Promise<readonly Row[]>): Promise<readonly Row[]> {
    const { asked } = this
    asked.set(key, answer)
    try {
      const rows = await answer
      if (asked === this.asked) this.rows.set(key, rows)
      return rows
    } finally {
      asked.delete(key)
    }
  }

  /** Asks at once, or together with others as soon as the question that is under way is answered. */
  private forgetIfChanged(): Promise<void> {
    if (!this.asking) return this.ask()
    // The answer under way may be older than this call.
    this.next ??= this.asking.then(
      () => this.askNext(),
      () => this.askNext(),
    )
    return this.next
  }

  private askNext(): Promise<void> {
    this.next = undefined
    return this.ask()
  }

  private ask(): Promise<void> {
    const asked = this.compareVersion().finally(() => {
      if (this.asking === asked) this.asking = undefined
    })
    this.asking = asked
    return asked
  }

  private async compareVersion(): Promise<void> {
    const [row] = await this.reader.query<Record<string, unknown>>(this.state)
    const [version] = Object.values(row ?? {})
    if (version === this.version) return
    this.version = version
    this.forget()
  }
}
