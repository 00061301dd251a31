// npm test: the default tier, from a fresh clone; npm run test:all: the slow files (*.slow.test.ts) as well. Files run side by
// side, as many as there are processors.
// Arguments go to mocha, and the files then run one after the other: npm test -- --grep "status list"
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readyToRun, root } from './ready-to-run.mjs'

// Tests have processes of their own beside them, and a database.
const MOST_JOBS = 4
const MORE_FUZZING = { FUZZING_RUNS: '40' }

const everything = process.argv[2] === '--all'
const given = process.argv.slice(everything ? 3 : 2)
const tier = everything ? [] : ['--ignore', '**/*.slow.test.ts']
const sideBySide = ['--parallel', '--jobs', String(Math.min(availableParallelism(), MOST_JOBS))]

await readyToRun()
const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js')
const { status } = spawnSync(process.execPath, [mocha, ...tier, ...(given.length > 0 ? given : sideBySide)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...(everything && MORE_FUZZING), ...process.env },
})
process.exit(status ?? 1)
