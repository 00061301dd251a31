import { writeSync } from 'node:fs'

const STDERR = 2

/** Ends this process with SIGKILL, for its supervisor to restart it, and states why. */
export function endItself(reason: string): void {
  try {
    writeSync(STDERR, `vidimus: ${reason} (watchdogMs): this process is terminated with SIGKILL\n`)
  } finally {
    // Even if the line is not read, as nobody reads stderr any more: Node.js does not block on such a write.
    process.kill(process.pid, 'SIGKILL')
  }
}
