// npm run trials: faults that lose nothing, one line each; ends non-zero where one fails. See docs/trials.md.
// npm run trials -- --only kills
import { spawnSync } from 'node:child_process'
import { readyToRun, root } from './ready-to-run.mjs'

await readyToRun()
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', 'test/trials/run-trials.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
process.exit(status ?? 1)
