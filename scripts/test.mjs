// npm test: the default tier, from a fresh clone; npm run test:all: the slow files (*.slow.test.ts) as well. Files run side by
// side, one more than there are processors.
// Arguments go to mocha, and the files then run one after the other: npm test -- --grep "status list"; with --spec these alone.
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readyToRun, root } from './ready-to-run.mjs'

// Tests have processes of their own beside them, and a database.
const MOST_JOBS = 4
// Not in .mocharc.json: mocha adds those of the command line to them. The longest files are in the first folder.
const FILES = [
  'test/**/*.test.ts',
  'packages/*/src/**/__tests__/**/*.test.ts',
  'examples/*/src/**/__tests__/**/*.test.ts',
]
const SLOW_FILES = '**/*.slow.test.ts'
const MORE_FUZZING = { FUZZING_RUNS: '40' }

const everything = process.argv[2] === '--all'
const given = process.argv.slice(everything ? 3 : 2)
const named = given.some((each) => each.startsWith('--spec'))
const files = named ? [] : FILES.flatMap((pattern) => ['--spec', pattern])
const tier = named || everything ? [] : ['--ignore', SLOW_FILES]
// One more than processors: while the processes of a file wait for clocks and disks, others work.
const jobs = Math.min(availableParallelism() + 1, MOST_JOBS)

await readyToRun()
const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js')
const { status } = spawnSync(
  process.execPath,
  [mocha, ...files, ...tier, ...(given.length > 0 ? given : ['--parallel', '--jobs', String(jobs)])],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...(everything && MORE_FUZZING),
      ...process.env,
      // Of a whole run the number of processes is asserted.
      TEST_TIER: given.length > 0 ? '' : everything ? 'all' : 'default',
    },
  },
)
process.exit(status ?? 1)
