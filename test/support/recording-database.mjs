import { appendFileSync } from 'node:fs'
import { Database } from '@vidimus/database'

/** The real database of a service in a process of its own, which writes every statement that it gets to a file, once. */
export class RecordingDatabase extends Database {
  #seen = new Set()

  query(statement) {
    return super.query(this.#noted(statement))
  }

  remember(home, key, read) {
    return super.remember(home, key, (reader) =>
      read({ query: (statement) => reader.query(this.#noted(statement)) }),
    )
  }

  write(work, options) {
    return super.write(
      (connection) =>
        work({
          query: (statement) => connection.query(this.#noted(statement)),
          queryApart: (statement) => connection.queryApart(this.#noted(statement)),
          run: (statement) => connection.run(this.#noted(statement)),
          send: (statement, refused) => connection.send(this.#noted(statement), refused),
        }),
      options,
    )
  }

  #noted(statement) {
    const { fragments, values } = statement
    const text = fragments.join('?')
    // Tests open it in processes of their own as well.
    const file = process.env.STATEMENTS_FILE
    if (file && !this.#seen.has(text)) {
      this.#seen.add(text)
      appendFileSync(file, `${JSON.stringify({ fragments, values })}\n`)
    }
    return statement
  }
}
