import { existsSync, readFileSync } from 'node:fs'

const at = (path) => new URL(path, import.meta.url)
// A clone also runs on older versions, where its scripts fetch a newer one.
const isClone = existsSync(at('../../../scripts/node-runtime.mjs'))
const manifest = JSON.parse(readFileSync(at(isClone ? '../../../package.json' : '../package.json'), 'utf8'))

/** Ends the process where its Node.js is older than `engines` demands. */
export function requireNode() {
  const least = manifest.engines.node.replace('>=', '')
  const [needed, own] = [least, process.versions.node].map((version) => version.split('.').map(Number))
  if (own[0] > needed[0] || (own[0] === needed[0] && own[1] >= needed[1])) return
  console.error(
    `Vidimus needs Node.js ${least} or later; this is ${process.versions.node}. See https://nodejs.org/`,
  )
  process.exit(1)
}
