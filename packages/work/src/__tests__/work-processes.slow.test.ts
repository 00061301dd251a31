import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Database, sql } from '@vidimus/database'
import { migratedDatabase, PLACES } from '../../../../test/support/fresh-database.js'
import { until } from '../../../../test/support/until.js'
import { workBaseline, workOn } from '../index.js'

const TABLES = { migrations: [[workBaseline]] }
const CHILD = join(import.meta.dirname, 'working-process.ts')
const ITEMS = 400
const FROZEN_MS = 3000

for (const place of PLACES) {
  describe(`processes that share work (${place})`, () => {
    it('do each item once, though one is killed and one is frozen for longer than its claims last', async () => {
      const url = await migratedDatabase(place, TABLES)
      const database = new Database({ url, ...TABLES })
      await database.lifecycle.start()
      const children = Array.from({ length: 4 }, () =>
        spawn(process.execPath, ['--import=tsx', CHILD, url], { stdio: ['ignore', 'pipe', 'inherit'] }),
      )
      const printed = children.map(() => '')
      children.forEach(({ stdout }, n) => stdout.on('data', (text: Buffer) => (printed[n] += String(text))))
      const printedBy = (word: string, some: readonly string[]) => some.every((text) => text.includes(word))
      try {
        await until(() => printedBy('ready', printed))
        await database.write(
          (connection) => {
            for (let n = 0; n < ITEMS; n += 1)
              workOn(database).add(
                connection,
                'event',
                { home: n % 1024, key: `item ${n}`, owner: `owner ${n % 7}`, dueAt: new Date() },
                new Date(),
              )
          },
          { spans: 'items of a test' },
        )
        const working = () => children.filter((_, n) => printed[n]?.includes('working'))
        await until(() => working().length >= 2)
        const [killed, frozen] = working()
        killed?.kill('SIGKILL')
        frozen?.kill('SIGSTOP')
        await setTimeout(FROZEN_MS)
        frozen?.kill('SIGCONT')
        const count = async (kind: string) => {
          const [row] = await database.query<{ n: number | string }>(
            sql`SELECT COUNT(*) AS n FROM work_item WHERE kind = ${kind}`,
          )
          return Number(row?.n)
        }
        await until(async () => (await count('event')) === 0)
        assert.equal(await count('effect'), ITEMS)
        assert.doesNotMatch(printed.join(), /failed/)
      } finally {
        for (const child of children) child.kill('SIGKILL')
        await database.lifecycle.stop()
      }
    })
  })
}
