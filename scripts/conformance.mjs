// npm run conformance -- FOLDER: a test suite of the W3C, checked out and installed there, against the service; see docs/conformance.md.
import { spawnSync } from 'node:child_process'
import { readyToRun, root } from './ready-to-run.mjs'

await readyToRun()
const { status } = spawnSync(
  process.execPath,
  ['--import', 'tsx', 'scripts/conformance/run-suite.ts', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
process.exit(status ?? 1)
