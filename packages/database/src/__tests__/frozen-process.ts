import { queueName } from '@vidimus/core-types'
// Writes to a database on PostgreSQL and freezes in the middle: `frozen-process.ts <url> <transaction|turn>`. It prints
// "holding" once others wait for it.
import pg from 'pg'
import { Database, sql } from '../index.js'
import { CreateNote1700000000000 } from './migrations.js'

const [url = '', where] = process.argv.slice(2)
const forEver = () => new Promise<never>(() => setInterval(() => undefined, 1000))
const hold = () => {
  process.stdout.write('holding\n')
  return forEver()
}

if (where === 'turn') {
  // Nothing of a transaction is sent any more, once its locks are there.
  const query = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown
  Reflect.set(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [config] = args as [string | { text?: string }]
    const text = typeof config === 'string' ? config : config.text
    return text?.startsWith('BEGIN ISOLATION') ? hold() : query.apply(this, args)
  })
}

const database = new Database({ url, migrations: [[CreateNote1700000000000]] })
await database.lifecycle.start()
await database.write(
  async (connection) => {
    await connection.run(sql`UPDATE note SET body = 'of a frozen process'`)
    await hold()
  },
  { lane: queueName('notes') },
)
