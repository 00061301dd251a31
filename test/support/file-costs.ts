// Required by mocha in every process that runs files: notes what each has cost, for `scripts/test-costs.mjs`.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'mocha'

const NOTED_IN = 'VIDIMUS_TEST_COSTS'
const TICKS_PER_SECOND = 100

let processes = 0
subscribe('child_process', () => (processes += 1))

let before = spent()
let beganAt = performance.now()

/** In seconds of the processor, of this process and of those that it started and that have ended; of those on Linux alone. */
function spent(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + ofChildren()
}

function ofChildren(): number {
  if (process.platform !== 'linux') return 0
  // What follows the name, which may hold anything, begins with the third field.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}

/** Before the processes that run the files. */
export function mochaGlobalSetup(): void {
  process.env[NOTED_IN] = join(tmpdir(), `vidimus-costs-${process.pid}`)
}

/** After all others, PostgreSQL included, have ended. */
export function mochaGlobalTeardown(): void {
  note({ all: spent() })
}

export const mochaHooks = {
  afterAll(this: Context) {
    const all = this.test?.parent
    const file = all?.suites[0]?.file ?? all?.tests[0]?.file
    const now = spent()
    const lasted = (performance.now() - beganAt) / 1000
    if (file !== undefined) note({ file, seconds: now - before, lasted, processes })
    ;[before, beganAt, processes] = [now, performance.now(), 0]
  },
}

function note(cost: object): void {
  const file = process.env[NOTED_IN]
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(cost)}\n`)
}
