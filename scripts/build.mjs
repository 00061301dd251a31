// npm run build
import { readyToRun } from './ready-to-run.mjs'

await readyToRun()
