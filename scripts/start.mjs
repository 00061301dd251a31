// npm start: from a fresh clone to a running service.
import { endWithNpm } from '../packages/cli/bin/end-with-npm.js'
import { readyToRun } from './ready-to-run.mjs'

endWithNpm()
await readyToRun()
process.argv.splice(2, 0, 'start')
await import('../packages/cli/bin/vidimus.js')
