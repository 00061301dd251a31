// npm run golden [-- FOLDER]: what a node answered, case by case, against all that knows its rules here; see test/golden.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { readyToRun, root } from './ready-to-run.mjs'

await readyToRun()
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', join('test', 'golden', 'run.ts'), ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
process.exit(status ?? 1)
