// Uses nothing but Node.js, as it runs before anything is installed.
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** A package of ours that is new needs a link, and no installation, which takes minutes where SQLite must be compiled. */
export function linkOwnPackages(root) {
  const links = join(root, 'node_modules', '@vidimus')
  // An image has only some of the packages.
  if (!existsSync(links) || !existsSync(join(root, 'node_modules', 'esbuild'))) return
  for (const folder of readdirSync(join(root, 'packages'))) {
    const manifest = join(root, 'packages', folder, 'package.json')
    if (!existsSync(manifest)) continue
    const { name } = JSON.parse(readFileSync(manifest, 'utf8'))
    const place = join(root, 'node_modules', name)
    if (name.startsWith('@vidimus/') && !existsSync(place))
      symlinkSync(join('..', '..', 'packages', folder), place, 'junction')
  }
}
