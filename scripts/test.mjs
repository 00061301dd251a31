// npm test: the default tier, from a fresh clone; npm run test:all: the slow files (*.slow.test.ts) as well. Files run side by
// side, one more than there are processors, and those that lasted longest last time begin first, after those that measure memory.
// Arguments go to mocha, and the files then run one after the other: npm test -- --grep "status list"; with --spec these alone.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { readyToRun, root } from './ready-to-run.mjs'

// Tests have processes of their own beside them, and a database.
const MOST_JOBS = 4
const SLOW = '.slow.test.ts'
// Seconds; nothing is known of it, and few last longer.
const OF_A_NEW_FILE = 30
const MEASURES_MEMORY = 'support/memory-taken.js'
const MORE_FUZZING = { FUZZING_RUNS: '40' }

const everything = process.argv[2] === '--all'
const given = process.argv.slice(everything ? 3 : 2)
const named = given.some((each) => each.startsWith('--spec'))
// Not in .mocharc.json: mocha adds those of the command line to them.
const files = named ? [] : testFiles().flatMap((file) => ['--spec', file])
// One more than processors: while the processes of a file wait for clocks and disks, others work.
const jobs = Math.min(availableParallelism() + 1, MOST_JOBS)

await readyToRun()
const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js')
const { status } = spawnSync(
  process.execPath,
  [mocha, ...files, ...(given.length > 0 ? given : ['--parallel', '--jobs', String(jobs)])],
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

/** Of the tier. What begins last must not be what the end of the run then waits for. */
function testFiles() {
  const { files, lasted } = JSON.parse(readFileSync(join(root, 'test', 'costs.json'), 'utf8'))
  const secondsOf = (file) => lasted[file] ?? files[file] ?? OF_A_NEW_FILE
  // A garbage collection goes through all that a process holds, which is ten times as much once it has run other files.
  const isFirst = (file) => Number(readFileSync(join(root, file), 'utf8').includes(MEASURES_MEMORY))
  return ['test', ...foldersOf('packages'), ...foldersOf('examples')]
    .flatMap((folder) => filesIn(folder).map((name) => `${folder}/${name}`))
    .filter((file) => file.endsWith('.test.ts') && (everything || !file.endsWith(SLOW)))
    .map((file) => ({ file, first: isFirst(file), seconds: secondsOf(file) }))
    .sort(
      (one, other) =>
        other.first - one.first || other.seconds - one.seconds || (one.file < other.file ? -1 : 1),
    )
    .map(({ file }) => file)
}

function foldersOf(home) {
  return readdirSync(join(root, home)).map((name) => `${home}/${name}/src`)
}

function filesIn(folder) {
  return existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    : []
}
