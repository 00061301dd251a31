import { Database } from '@vidimus/database'

/**
 * Preloaded into a process: ends it as `kill -9` would, right after so many transactions, which its caller does not hear of.
 * Without a number it tells at the end how many there were. With `KILL_AFTER_STATEMENT`, a regular expression, transactions
 * with such a statement count alone.
 */
const most = Number(process.env.KILL_AFTER_WRITES ?? Infinity)
const meant = new RegExp(process.env.KILL_AFTER_STATEMENT ?? '')
const isForAll = process.env.KILL_AFTER_STATEMENT === undefined
const { write } = Database.prototype
let writes = 0

Database.prototype.write = async function (work, ...options) {
  let counts = isForAll
  const seen = (statement) => {
    counts ||= meant.test(statement.fragments.join('?'))
    return statement
  }
  const watched = (connection) =>
    isForAll
      ? connection
      : {
          query: (statement) => connection.query(seen(statement)),
          queryApart: (statement) => connection.queryApart(statement),
          run: (statement) => connection.run(seen(statement)),
          send: (statement, refused) => connection.send(seen(statement), refused),
          whenCommitted: (then) => connection.whenCommitted(then),
          shared: connection.shared,
        }
  const result = await write.call(this, (connection) => work(watched(connection)), ...options)
  if (counts) writes += 1
  if (counts && writes >= most) process.kill(process.pid, 'SIGKILL')
  return result
}

process.once('exit', () => process.stderr.write(`${writes} transactions\n`))
