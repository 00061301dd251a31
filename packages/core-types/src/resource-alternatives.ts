import { BOUNDS } from './bounds.js'

/** Which limit the other names of a resource exceed, completing a sentence; `undefined` if none. */
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
