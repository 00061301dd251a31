/** A task that lasts until it is ended. */
export function lastingWork() {
  let begin: () => void = () => undefined
  let end: () => void = () => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const ended = new Promise<void>((resolve) => (end = resolve))
  return { begun, end: () => end(), work: () => (begin(), ended) }
}
