// A digest of sources, which shows whether what was made of them is out of date.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Whether something was made of what has this digest. */
export const isMadeOf = (stamp, stampFile) =>
  existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp

/** Of files and of all sources in folders, with their names relative to `home`. */
export function stampOf(home, paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesIn)) hash.update(relative(home, path)).update(readFileSync(path))
  return hash.digest('hex')
}

function filesIn(path) {
  if (!existsSync(path)) return []
  if (/\.\w+$/.test(path)) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|js|css|html)$/.test(name) && !name.includes('__tests__'))
    .sort()
    .map((name) => join(path, name))
}
