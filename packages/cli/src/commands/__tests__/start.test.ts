import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const vidimus = resolve(import.meta.dirname, '../../../bin/vidimus.js')

describe('a signal during startup', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-signal-'))
    await writeFile(
      join(folder, 'waiting.mjs'),
      `export const wait = () => { console.log('waiting'); setInterval(() => {}, 1000); return new Promise(() => {}) }`,
    )
    await writeFile(
      join(folder, 'agent.yml'),
      `version: 3\nagent: { $require: './waiting.mjs?t=function#wait' }\naccounts: 1\ndatabase: 1\nserver: 1\n`,
    )
  })
  after(() => rm(folder, { recursive: true }))

  // By an exit code, not by the signal's default: the first process of a container has none.
  for (const [signal, expected] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    it(`stops it immediately: ${signal}`, async () => {
      const child = spawn(process.execPath, [vidimus, 'start', '--config', join(folder, 'agent.yml')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      child.kill(signal)
      assert.deepEqual(await once(child, 'exit'), [expected, null])
    })
  }
})
