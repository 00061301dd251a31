import { BOUNDS } from './bounds.js'

/** What is too much of the other names of a resource, as a sentence goes on; `undefined` where nothing is. */
export function alternativesProblem(
  all: readonly { uri: string; description: string }[],
): string | undefined {
  if (all.length > BOUNDS.alternatives) return `must have at most ${BOUNDS.alternatives} entries`
  const bytes = all.reduce(
    (sum, { uri, description }) => sum + Buffer.byteLength(uri) + Buffer.byteLength(description),
    0,
  )
  return bytes > BOUNDS.alternativesBytes ? `must have at most ${BOUNDS.alternativesBytes} bytes` : undefined
}
