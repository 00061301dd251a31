/** How placeholders are written. */
export type Dialect = 'sqlite' | 'postgres'

/** A statement with its values apart from its text, so that no value can ever become text. */
export class Sql {
  constructor(
    readonly fragments: readonly string[],
    readonly values: readonly SqlValue[],
    /** see {@link Sql.changing} */
    readonly homes?: readonly number[],
  ) {}

  /**
   * Says of which homes the statement changes what is remembered (see `Database.remember`). Without it a change of a table
   * of which anything is remembered counts as one of every home.
   *
   * @param homes - none: nothing of what it changes is remembered
   */
  changing(...homes: readonly number[]): Sql {
    return new Sql(this.fragments, this.values, homes)
  }

  /** The text with the placeholders of the dialect. */
  text(dialect: Dialect): string {
    return this.fragments.reduce(
      (text, fragment, n) => text + (dialect === 'sqlite' ? '?' : `$${n}`) + fragment,
    )
  }
}

/** What a column holds: text, whole number, bytes or nothing. Times are ISO 8601 text, structures JSON text. */
export type SqlValue = string | number | Buffer | null

/**
 * Writes a statement: sql`SELECT name FROM account WHERE id = ${id}`. A nested {@link Sql} is inlined, which is how
 * parts of a statement are made optional.
 */
export function sql(fragments: TemplateStringsArray, ...parts: (SqlValue | Sql)[]): Sql {
  const texts = [fragments[0] ?? '']
  const values: SqlValue[] = []
  parts.forEach((part, n) => {
    const after = fragments[n + 1] ?? ''
    if (part instanceof Sql) {
      const [first = '', ...others] = part.fragments
      texts[texts.length - 1] += first
      texts.push(...others)
      texts[texts.length - 1] += after
      values.push(...part.values)
    } else {
      texts.push(after)
      values.push(part)
    }
  })
  return new Sql(texts, values)
}

/** Joins parts, for example the values of an `IN` list or the rows of an `INSERT`. */
export function joinSql(parts: readonly (SqlValue | Sql)[], separator = ', '): Sql {
  return parts.reduce<Sql>(
    (joined, part, n) => (n === 0 ? sql`${part}` : sql`${joined}${new Sql([separator], [])}${part}`),
    new Sql([''], []),
  )
}
