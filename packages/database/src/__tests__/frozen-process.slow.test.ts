import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { queueName } from '@vidimus/core-types'
import { PostgresServer } from '../../../../test/support/postgres-server.js'
import { Database, sql } from '../index.js'
import { CreateNote1700000000000 } from './migrations.js'

const CHILD = join(import.meta.dirname, 'frozen-process.ts')

describe('a frozen process on PostgreSQL', () => {
  for (const where of ['transaction', 'turn']) {
    // Statements are given up after ten seconds: a write that succeeds has waited for less.
    it(`blocks the writes of others in its ${where} for less than their time limit`, async () => {
      const url = await (await PostgresServer.shared()).createDatabase()
      const database = new Database({ url, migrations: [[CreateNote1700000000000]] })
      await database.lifecycle.start()
      const write = (body: string, lane?: string) =>
        database.write((connection) => connection.run(sql`UPDATE note SET body = ${body}`), {
          ...(lane && { lane: queueName(lane) }),
        })
      await database.write((connection) => connection.run(sql`INSERT INTO note VALUES ('a', 'b')`))
      const child = spawn(process.execPath, ['--import=tsx', CHILD, url, where], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      try {
        await once(child.stdout, 'data')
        child.kill('SIGSTOP')
        await Promise.all([write('in its lane', 'notes'), write('of the same row')])
        const notes = await database.query<{ body: string }>(sql`SELECT body FROM note`)
        assert.equal(notes.length, 1)
        assert.doesNotMatch(notes[0]?.body ?? '', /frozen/)
      } finally {
        child.kill('SIGKILL')
        await database.lifecycle.stop()
      }
    })
  }
})
