const BY_NPM = ['start', 'npx']

let watch

/**
 * What ends npm or npx, a SIGTERM of a supervisor say, they pass on to the shell in which they run this, and that to
 * nobody: the service would go on without anybody knowing. So a process that npm runs ends, as by SIGTERM, when its
 * shell is gone.
 */
export function endWithNpm() {
  if (watch || !BY_NPM.includes(process.env.npm_lifecycle_event)) return
  const shell = process.ppid
  watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  watch.unref()
}
