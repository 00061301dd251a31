// npm run bench: speed, each figure beside a bare server's in the same run. `npm run bench -- --write` puts the table
// into docs/performance.md.
import { spawnSync } from 'node:child_process'
import { readyToRun, root } from './ready-to-run.mjs'

await readyToRun()
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', 'bench/bench.ts', ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: 'inherit',
  },
)
process.exit(status ?? 1)
