// Works on what waits in a database until it is killed: `working-process.ts <url>`. Each item has an effect in the transaction that
// settles it. It prints "ready", "working" with its first item, and "failed" for each attempt that failed.
import { setTimeout } from 'node:timers/promises'
import { Database, sql } from '@vidimus/database'
import { workBaseline, workOn } from '../index.js'

const [url = ''] = process.argv.slice(2)
const database = new Database({ url, migrations: [[workBaseline]] })
await database.lifecycle.start()
const print = (line: string) => process.stdout.write(`${line}\n`)
let begun = false
workOn(database).run({
  ...{ name: 'event', most: 4, share: 4 },
  leaseMs: () => 1500,
  retry: () => ({ firstMs: 100, mostMs: 100 }),
  clock: () => new Date(),
  onFailure: (error) => print(`failed ${String(error)}`),
  handle: async (held) => {
    if (!begun) print('working')
    begun = true
    await setTimeout(20)
    const { home, key } = held.item
    await database.write(async (connection) => {
      await held.withVersion(() => ({})).made(connection)
      // A second effect of the same item violates the primary key.
      connection.send(sql`INSERT INTO work_item (home, kind, key, owner, due_at, revision, fence, attempts)
        VALUES (${home}, ${'effect'}, ${key}, ${'x'}, ${'2999'}, ${1}, ${1}, ${0})`)
    })
    return { isDone: true }
  },
})
// Looks for work keep no process from ending.
setInterval(() => undefined, 60_000)
print('ready')
