// The reporter of the tests: mocha's own, and at the end the files that took longest, the hooks of their suites included.
import { relative } from 'node:path'
import Mocha from 'mocha'

const { EVENT_TEST_END, EVENT_HOOK_END, EVENT_RUN_END } = Mocha.Runner.constants
const SHOWN = 10

export default class SlowestFiles extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    const milliseconds = new Map()
    const add = ({ file, duration = 0 }) => {
      if (file) milliseconds.set(file, (milliseconds.get(file) ?? 0) + duration)
    }
    runner.on(EVENT_TEST_END, add)
    runner.on(EVENT_HOOK_END, add)
    runner.once(EVENT_RUN_END, () => show(milliseconds))
  }
}

function show(milliseconds) {
  if (milliseconds.size <= SHOWN) return
  const slowest = [...milliseconds].sort(([, one], [, other]) => other - one).slice(0, SHOWN)
  console.log('The files that took longest:\n')
  for (const [file, duration] of slowest) {
    console.log(`${(duration / 1000).toFixed(1).padStart(7)} s  ${relative(process.cwd(), file)}`)
  }
  console.log('')
}
