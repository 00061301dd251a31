import { writeSync } from 'node:fs'

const STDERR = 2

/** Ends this process with SIGKILL, for its supervisor to start it again, and says why. */
export function endItself(reason: string): void {
  try {
    writeSync(STDERR, `vidimus: ${reason} (watchdogMs): this process ends itself with SIGKILL\n`)
  } finally {
    // Also where the line is not taken, as nobody reads stderr any more: Node.js lets no such write wait.
    process.kill(process.pid, 'SIGKILL')
  }
}
