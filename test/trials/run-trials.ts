import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { TRIALS } from './all-trials.js'
import type { Form, Trial } from './trial.js'

/** Longer than any trial takes on a small machine: one that hangs is a failure like others. */
const MOST_MS = 20 * 60_000

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, short: { type: 'boolean', default: false } },
})
const form: Form = values.short ? 'short' : 'full'
const unknown = (values.only ?? []).filter((wanted) => !TRIALS.some(({ name }) => name === wanted))
if (unknown.length > 0) {
  print(`there is no trial ${unknown.join(', ')}; there are ${TRIALS.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

let failed = 0
for (const trial of TRIALS) {
  if (!values.only || values.only.includes(trial.name)) failed += (await passes(trial)) ? 0 : 1
}
print(failed === 0 ? 'all trials passed' : `${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

async function passes(trial: Trial): Promise<boolean> {
  const obstacle = await trial.obstacle?.()
  if (obstacle !== undefined) {
    print(`${trial.name}: not made, ${obstacle}`)
    return true
  }
  const startedAt = performance.now()
  const took = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  try {
    const figures = await inTime(trial.run(form))
    const shown = Object.entries(figures).map(([name, value]) => `${name}: ${value}`)
    print(`${trial.name}: passed in ${took()}; ${shown.join('; ')}`)
    return true
  } catch (error) {
    print(`${trial.name}: FAILED after ${took()}: ${error instanceof Error ? error.stack : String(error)}`)
    return false
  }
}

async function inTime<T>(run: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${MOST_MS / 60_000} minutes`)), MOST_MS)
  })
  try {
    return await Promise.race([run, late])
  } finally {
    clearTimeout(timer)
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
