// npm run docs: writes the pages of docs/ that are made of the sources.
import { spawnSync } from 'node:child_process'
import { readyToRun, root } from './ready-to-run.mjs'

await readyToRun()
const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/reference/write.ts'], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
