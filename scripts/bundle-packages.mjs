// Makes the code of each package, where it is out of date: one file for each entry of its package.json, and one for each part
// that is loaded when it is needed: npm run build. A start loads half as many files as with one for each source. Types are of tsc.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMadeOf, stampOf } from './stamp.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

for (const folder of readdirSync(join(root, 'packages'))) await bundleIfStale(join(root, 'packages', folder))

async function bundleIfStale(home) {
  const manifestFile = join(home, 'package.json')
  if (!existsSync(manifestFile)) return
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const entries = entriesOf(manifest)
  // An image has only some of the packages.
  if (entries.length === 0 || !existsSync(join(root, 'node_modules', manifest.name))) return
  const stampFile = join(home, 'build', '.bundled')
  const sources = [join(home, 'src'), manifestFile, join(root, 'package-lock.json')]
  const stamp = stampOf(root, [...sources, fileURLToPath(import.meta.url)])
  if (isMadeOf(stamp, stampFile)) return
  await bundle(home, entries)
  writeFileSync(stampFile, stamp)
}

/** The sources of what others may import, and of what the package starts itself, such as workers. */
function entriesOf({ exports = {}, imports = {} }) {
  return [...Object.values(exports), ...Object.values(imports)]
    .map((target) => target.default ?? target)
    .filter((file) => /^\.\/build\/.*\.js$/.test(file))
    .map((file) => file.replace('./build/', 'src/').replace(/\.js$/, '.ts'))
}

async function bundle(home, entryPoints) {
  // Not before it is needed: what was made before runs without it.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: home,
    entryPoints,
    outbase: 'src',
    outdir: 'build',
    // At the top, so that a path relative to a source at the top is the same here.
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // A clone runs on older versions than its packages support.
    target: 'node20.19',
    // Each package is loaded once, whoever imports it.
    packages: 'external',
    sourcemap: true,
    sourcesContent: false,
    write: false,
    logLevel: 'warning',
  })
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
  removeOthers(join(home, 'build'), new Set(outputFiles.map(({ path }) => path)))
}

/** Last, as processes may still load what was made before. */
function removeOthers(folder, made) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (/\.js(\.map)?$/.test(name) && !made.has(path)) rmSync(path)
  }
}
