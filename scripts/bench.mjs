// npm run bench: speed, each figure beside a bare server's in the same run. npm run bench:scale: with several processes,
// on both databases, and with many lists. npm run bench:growth: an empty database beside a full one. `-- --write` puts the
// tables into docs/. npm run bench:path: how many files and functions a request passes.
import { spawnSync } from 'node:child_process'
import { readyToRun, root } from './ready-to-run.mjs'

const [file, ...options] = process.argv.slice(2)

await readyToRun()
const { status } = spawnSync(process.execPath, ['--import', 'tsx', `bench/${file}`, ...options], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
