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
   * States of which homes the statement changes cached rows (see `Database.remember`). Without it, a change of a
   * table with cached rows counts as one of every home.
   *
   * @param homes - none: it changes no cached rows
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

/** The value of a column: text, whole number, bytes or nothing. Times are ISO 8601 text, structures JSON text. */
export type SqlValue = string | number | Buffer | null

/**
 * Writes a statement: sql`SELECT name FROM account WHERE id = ${id}`. A nested {@link Sql} is inlined, which makes
 * parts of a statement optional.
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
