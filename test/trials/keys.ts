import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { trialOf, type Figures } from './trial.js'

const RULE =
  'One process creates 200,000 keys of all types, one after the other, and never hangs, not even when the ' +
  'garbage collector frees what created them.'

/** A thousand keys take less than a second. */
const MOST_SILENCE_MS = 60_000

async function run(count: number): Promise<Figures> {
  const script = join(import.meta.dirname, 'make-keys.mjs')
  const child = spawn(process.execPath, [script, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let last = 'nothing'
  const watchdog = setTimeout(() => child.kill('SIGKILL'), MOST_SILENCE_MS)
  for await (const line of createInterface(child.stdout)) {
    last = line
    watchdog.refresh()
  }
  clearTimeout(watchdog)
  const [code, signal] = (await ended) as [number | null, string | null]
  assert.equal(code, 0, `ended by ${signal ?? String(code)} after: ${last}`)
  const microseconds = Object.entries(JSON.parse(last) as Record<string, number>)
  return {
    'Node.js': process.version,
    keys: count * microseconds.length,
    ...Object.fromEntries(microseconds.map(([type, each]) => [type, `${each} µs of processor time each`])),
  }
}

export const keys = trialOf('keys', RULE, { full: 50_000, short: 250 }, run)
