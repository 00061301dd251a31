import { Database } from '@vidimus/database'

/**
 * Preloaded into a process: ends it as `kill -9` would, right after so many transactions, which its caller does not hear of.
 * Without a number it tells at the end how many there were.
 */
const most = Number(process.env.KILL_AFTER_WRITES ?? Infinity)
const { write } = Database.prototype
let writes = 0

Database.prototype.write = async function (...args) {
  const result = await write.apply(this, args)
  writes += 1
  if (writes >= most) process.kill(process.pid, 'SIGKILL')
  return result
}

process.once('exit', () => process.stderr.write(`${writes} transactions\n`))
