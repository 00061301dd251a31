import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { root } from '../support/repository.js'
import type { Form, Trial } from './trial.js'

const GIVEN: Record<Form, string[]> = {
  full: ['--spec', 'test/service.test.ts', '--spec', 'test/service-*.test.ts'],
  short: ['--spec', 'test/service-in-processes.test.ts', '--grep', 'ledger cost'],
}

/** The tests run on each further set-up what differs there: see `test/behaviour/service-suites.ts`. */
export const setUps: Trial = {
  name: 'set-ups',
  rule:
    'Every behaviour holds on every set-up: on SQLite and PostgreSQL, with another key management system, with cheqd ' +
    'networks, and with up to three processes that take turns.',
  mostMinutes: 60,
  async run(form) {
    const mocha = 'node_modules/mocha/bin/mocha.js'
    const child = spawn(process.execPath, [mocha, ...GIVEN[form]], {
      cwd: root,
      env: { ...process.env, SET_UPS: 'all', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [printed, [code]] = await Promise.all([
      text(child.stdout),
      once(child, 'close') as Promise<[number | null]>,
    ])
    const passed = Number(/^ *(\d+) passing/m.exec(printed)?.[1])
    assert.ok(code === 0 && passed > 0, printed)
    return { passed }
  },
}
