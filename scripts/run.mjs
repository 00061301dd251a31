// node scripts/run.mjs FILE ...: runs a file of a clone, TypeScript too, once the clone is ready to run its code.
import { readyToRun, root } from './ready-to-run.mjs'
import { runInstead } from './node-runtime.mjs'

await readyToRun()
await runInstead(process.execPath, ['--import', 'tsx', ...process.argv.slice(2)], { cwd: root })
