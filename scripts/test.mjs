// npm test: everything, from a fresh clone, on as many processors as there are.
// Arguments go to mocha, which then runs one test after the other: npm test -- --grep "status list"
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readyToRun, root } from './ready-to-run.mjs'

// Each test has processes of its own beside it, and a database.
const MOST_JOBS = 4

await readyToRun()
const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js')
const given = process.argv.slice(2)
const { status } = spawnSync(process.execPath, [mocha, ...(given.length > 0 ? given : sideBySide())], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)

function sideBySide() {
  const jobs = Math.min(availableParallelism(), MOST_JOBS)
  return ['--parallel', '--jobs', String(jobs), '--require', './test/support/postgres-for-all.ts']
}
