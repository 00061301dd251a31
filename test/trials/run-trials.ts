import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { TRIALS } from './all-trials.js'
import { RuleBroken, type Form, type Trial, type Wishes } from './trial.js'

/** Longer than most trials take on a small machine, besides what it was told to last: one that hangs is a failure. */
const MOST_MINUTES = 20

const { values } = parseArgs({
  // npm hands its own `--` on where there are two.
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    only: { type: 'string', multiple: true },
    short: { type: 'boolean', default: false },
    minutes: { type: 'string' },
    database: { type: 'string' },
    engine: { type: 'string' },
    network: { type: 'boolean', default: false },
    samples: { type: 'string' },
    seed: { type: 'string' },
  },
})
const form: Form = values.short ? 'short' : 'full'
const unknown = (values.only ?? []).filter((wanted) => !TRIALS.some(({ name }) => name === wanted))
if (unknown.length > 0) {
  print(`there is no trial ${unknown.join(', ')}; there are ${TRIALS.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

const wishes = wishesOf(values)
const chosen = TRIALS.filter(({ name }) => !values.only || values.only.includes(name))
let failed = 0
for (const trial of chosen) failed += (await passes(trial)) ? 0 : 1
if (chosen.length > 1) print(failed === 0 ? 'all trials passed' : `${failed} failed`)
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
    const figures = await inTime(
      trial.run(form, wishes),
      (trial.mostMinutes ?? MOST_MINUTES) + (wishes.minutes ?? 0),
    )
    const shown = Object.entries(figures).map(([name, value]) => `${name}: ${value}`)
    print(`${trial.name}: passed in ${took()}; ${shown.join('; ')}`)
    if (trial.lastLine) print(trial.lastLine(figures))
    return true
  } catch (error) {
    print(`${trial.name}: FAILED after ${took()}: ${error instanceof Error ? error.stack : String(error)}`)
    if (error instanceof RuleBroken && trial.lastLine) print(trial.lastLine(error.figures))
    return false
  }
}

async function inTime<T>(run: Promise<T>, minutes: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${minutes} minutes`)), minutes * 60_000)
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

function wishesOf({ minutes, engine, samples, seed, network, ...given }: typeof values): Wishes {
  if (engine !== undefined && engine !== 'sqlite' && engine !== 'postgres')
    refuse(`--engine: ${engine} is neither sqlite nor postgres`)
  const database = engine === 'postgres' ? 'postgresql' : (engine ?? given.database)
  if (seed !== undefined && !/^\d{1,9}$/.test(seed))
    refuse(`--seed: ${seed} is no whole number below 1000000000`)
  if (minutes !== undefined && !(Number(minutes) > 0)) refuse(`--minutes: ${minutes} is no length of time`)
  if (database !== undefined && database !== 'sqlite' && database !== 'postgresql')
    refuse(`--database: ${database} is neither sqlite nor postgresql`)
  return {
    ...(network && { onNetwork: true }),
    ...(minutes !== undefined && { minutes: Number(minutes) }),
    ...(database !== undefined && { database }),
    ...(samples !== undefined && { samples }),
    ...(seed !== undefined && { seed: Number(seed) }),
  }
}

function refuse(why: string): never {
  print(why)
  process.exit(2)
}
