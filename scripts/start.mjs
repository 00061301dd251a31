// npm start: from a fresh clone to a running service.
import { readyToRun } from './ready-to-run.mjs'

await readyToRun()
process.argv.splice(2, 0, 'start')
await import('../packages/cli/bin/vidimus.js')
