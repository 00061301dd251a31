// npm test: everything, from a fresh clone. Arguments go to mocha: npm test -- --grep "status list"
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { readyToRun, root } from './ready-to-run.mjs'

await readyToRun()
const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js')
const { status } = spawnSync(process.execPath, [mocha, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
