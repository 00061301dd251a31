import { appendFileSync } from 'node:fs'
import { changedHomes, Database } from '@vidimus/database'

/** The real database of a service in a process of its own, which writes every statement that it gets to a file, once, and
 * the changes of transactions that have rows of several homes without a reason. */
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
    return super.write(async (connection) => {
      const homes = new Map()
      const noted = (statement) => {
        for (const home of changedHomes(statement)) homes.set(home, statement.fragments.join('?'))
        return this.#noted(statement)
      }
      const value = await work({
        query: (statement) => connection.query(noted(statement)),
        queryApart: (statement) => connection.queryApart(noted(statement)),
        run: (statement) => connection.run(noted(statement)),
        send: (statement, refused) => connection.send(noted(statement), refused),
        whenCommitted: (then) => connection.whenCommitted(then),
        shared: connection.shared,
      })
      if (homes.size > 1 && options?.spans === undefined) this.#write({ several: [...homes.values()] })
      return value
    }, options)
  }

  #noted(statement) {
    const { fragments, values } = statement
    const text = fragments.join('?')
    if (!this.#seen.has(text)) {
      this.#seen.add(text)
      this.#write({ fragments, values })
    }
    return statement
  }

  #write(line) {
    // Tests open it in processes of their own as well.
    const file = process.env.STATEMENTS_FILE
    if (file) appendFileSync(file, `${JSON.stringify(line)}\n`)
  }
}
