// The reporter of the tests: mocha's own, and at the end of a run of several files what each has cost, beside what it cost when
// `test/costs.json` was written (TEST_COSTS=write, in a run of everything). Seconds are of the processor, which others on the
// machine hardly change, and are told with its speed; only the number of processes is asserted.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import Mocha from 'mocha'

const SHOWN = 20
const root = join(import.meta.dirname, '..')
const LAST = join(root, 'test', 'costs.json')
const { TEST_TIER, TEST_COSTS } = process.env

export default class TestCosts extends Mocha.reporters.Spec {
  done(failures, callback) {
    const isOver = show(costsOfRun())
    callback(failures + (isOver ? 1 : 0))
  }
}

/** As `test/support/file-costs.ts` has noted them: one for each file, and all together. */
function costsOfRun() {
  const noted = process.env.VIDIMUS_TEST_COSTS
  const lines = readFileSync(noted, 'utf8').split('\n').filter(Boolean)
  rmSync(noted)
  const costs = lines.map((line) => JSON.parse(line))
  const files = costs.filter(({ file }) => file).map((cost) => ({ ...cost, file: relative(root, cost.file) }))
  return { files, all: costs.find(({ all }) => all)?.all ?? 0 }
}

/** @returns whether a whole run has started more processes than it may */
function show({ files: costs, all }) {
  if (costs.length <= 1) return false
  const last = JSON.parse(readFileSync(LAST, 'utf8'))
  const speed = fixedWork()
  console.log(
    `Processor seconds (last time), where a fixed piece of work takes ${speed} ms (${last.speed ?? '-'}):\n`,
  )
  for (const [name, belongs] of Object.entries(TIERS))
    line(name, sum(costs.filter(belongs)), last.tiers[name])
  line('all, with PostgreSQL', all, last.tiers['all, with PostgreSQL'])
  console.log('')
  costs.sort((one, other) => other.seconds - one.seconds)
  for (const { file, seconds } of costs.slice(0, SHOWN)) line(file, seconds, last.files[file])
  const processes = costs.reduce((total, each) => total + each.processes, 0)
  const { [TEST_TIER]: budget = Infinity } = JSON.parse(
    readFileSync(join(root, 'test/budgets.json'), 'utf8'),
  ).processes
  console.log(`\nProcesses started: ${processes}${TEST_TIER ? ` of ${budget} in test/budgets.json` : ''}\n`)
  if (TEST_COSTS === 'write') write(costs, all, speed)
  return processes > budget
}

const isSlow = ({ file }) => file.endsWith('.slow.test.ts')
const isOfService = ({ file }) => file.startsWith('test/')
const TIERS = {
  'units of packages': (cost) => !isOfService(cost),
  'the service': (cost) => isOfService(cost) && !isSlow(cost),
  'slow files': isSlow,
}

const sum = (costs) => costs.reduce((total, { seconds }) => total + seconds, 0)

function line(name, seconds, before) {
  console.log(`${seconds.toFixed(1).padStart(8)} ${`(${before?.toFixed(1) ?? '-'})`.padEnd(9)} ${name}`)
}

/** In milliseconds of the processor, so that figures of different machines can be compared. */
function fixedWork() {
  const before = process.cpuUsage()
  let text = 'vidimus'
  for (let round = 0; round < 200_000; round += 1) text = createHash('sha256').update(text).digest('hex')
  const { user, system } = process.cpuUsage(before)
  return Math.round((user + system) / 1000)
}

function write(costs, all, speed) {
  const rounded = (seconds) => Math.round(seconds * 10) / 10
  const tiers = Object.entries(TIERS).map(([name, belongs]) => [name, rounded(sum(costs.filter(belongs)))])
  tiers.push(['all, with PostgreSQL', rounded(all)])
  const ofFiles = (figure) => Object.fromEntries(costs.map((cost) => [cost.file, rounded(cost[figure])]))
  const costsOfAll = {
    ...{ speed, tiers: Object.fromEntries(tiers) },
    ...{ files: ofFiles('seconds'), lasted: ofFiles('lasted') },
  }
  writeFileSync(LAST, `${JSON.stringify(costsOfAll, null, 2)}\n`)
}
