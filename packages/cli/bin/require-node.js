import { existsSync, readFileSync } from 'node:fs'

const at = (path) => new URL(path, import.meta.url)

/** The oldest version that a package supports. @param manifest - its `package.json` */
export const leastNode = (manifest) =>
  JSON.parse(readFileSync(manifest, 'utf8')).engines.node.replace('>=', '')

/** Whether this process runs on a version before `least`. */
export function isBefore(least) {
  const [needed, own] = [least, process.versions.node].map((version) => version.split('.').map(Number))
  return own[0] < needed[0] || (own[0] === needed[0] && own[1] < needed[1])
}

/** Ends the process where its Node.js is older than `engines` demands. */
export function requireNode() {
  // A clone also runs on older versions, where its scripts fetch a newer one.
  const isClone = existsSync(at('../../../scripts/node-runtime.mjs'))
  const least = leastNode(at(isClone ? '../../../package.json' : '../package.json'))
  if (!isBefore(least)) return
  console.error(
    `Vidimus needs Node.js ${least} or later; this is ${process.versions.node}. See https://nodejs.org/`,
  )
  process.exit(1)
}
