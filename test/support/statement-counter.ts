import pg from 'pg'
import sqlite3 from 'sqlite3'

/** What the drivers of the databases were asked to do between two moments. */
export interface StatementCounts {
  /** calls of a driver: each a trip to its thread or to its server */
  calls: number
  /** statements in these calls, BEGIN, COMMIT, savepoints and locks included */
  statements: number
  commits: number
  /** each text, in its order */
  texts: string[]
}

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Counts every statement of this process at the drivers themselves, whoever sends it. */
export class StatementCounter {
  private counts = none()
  private readonly restorers: (() => void)[] = []

  constructor() {
    const statement = (sqlite3 as unknown as { Statement: { prototype: Record<string, Method> } }).Statement
      .prototype
    for (const name of ['run', 'all']) {
      this.before(statement, name, (of) => this.note([(of as { sql: string }).sql]))
    }
    const exec = sqlite3.Database.prototype as unknown as Record<string, Method>
    this.before(exec, 'exec', (_of, text) => this.note(statementsOf(String(text))))
    const client = pg.Client.prototype as unknown as Record<string, Method>
    this.before(client, 'query', (_of, query) => this.note(textsOf(query)))
  }

  /** From here on. @returns what there was until now */
  take(): StatementCounts {
    const { counts } = this
    this.counts = none()
    return counts
  }

  end(): void {
    for (const restore of this.restorers) restore()
  }

  private note(texts: readonly string[]): void {
    this.counts.calls += 1
    this.counts.statements += texts.length
    this.counts.commits += texts.filter((text) => /^\s*COMMIT/i.test(text)).length
    this.counts.texts.push(...texts)
  }

  private before(
    prototype: Record<string, Method>,
    name: string,
    note: (of: unknown, first: unknown) => void,
  ): void {
    const own = prototype[name]
    if (!own) throw new Error(`the driver has no ${name}`)
    prototype[name] = function (...args) {
      note(this, args[0])
      return own.apply(this, args)
    }
    this.restorers.push(() => (prototype[name] = own))
  }
}

const none = (): StatementCounts => ({ calls: 0, statements: 0, commits: 0, texts: [] })

/** As they are written into one text: a semicolon that ends a statement ends its line. */
const statementsOf = (text: string): string[] =>
  text.split(/;\s*(?:\n|$)/).filter((part) => part.trim() !== '')

function textsOf(query: unknown): string[] {
  if (typeof query === 'string') return query.split(/;\s*/).filter((part) => part.trim() !== '')
  const { text, texts } = query as { text?: string; texts?: string[] }
  return texts ?? (text === undefined ? [] : [text])
}
