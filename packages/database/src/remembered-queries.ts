import type { Counter } from '@vidimus/core-types'
import type { Reader } from './database-engine.js'
import type { Dialect, Sql } from './sql.js'

/** Results kept; beyond that all are dropped, which costs a query each. */
const MAX_REMEMBERED = 10_000

/**
 * Queries whose rows are remembered until anything in the database changes, by this process or by another.
 *
 * Each call asks the database what tells its states apart, several calls together, and always after they were made:
 * what was committed before a call is in its answer.
 */
export class RememberedQueries {
  /** by the text of the statement, which many share, and its values */
  private readonly rows = new Map<string, Map<string, Promise<readonly unknown[]>>>()
  private remembered = 0
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
    const text = statement.text(this.dialect)
    const values = JSON.stringify(statement.values)
    const known = this.rows.get(text)?.get(values)
    this.counted?.add(1, known ? 'hit' : 'miss')
    if (known) return known as Promise<readonly Row[]>
    const asked = this.reader.query<Row>(statement)
    const rows = this.remember(text, values, asked)
    // A failure is not remembered; the caller gets it from `asked`.
    asked.catch(() => rows.delete(values))
    return asked
  }

  private remember(text: string, values: string, asked: Promise<readonly unknown[]>) {
    if (this.remembered >= MAX_REMEMBERED) this.forget()
    const rows = this.rows.get(text) ?? new Map<string, Promise<readonly unknown[]>>()
    this.rows.set(text, rows.set(values, asked))
    this.remembered += 1
    return rows
  }

  private forget(): void {
    this.rows.clear()
    this.remembered = 0
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
