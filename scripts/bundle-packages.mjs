// Makes the code of each package, where it is out of date: one file for each entry of its package.json, and one for each part
// that is loaded when it is needed: npm run build. A start loads half as many files as with one for each source. Types are of tsc.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linkOwnPackages } from './own-packages.mjs'
import { isMadeOf, stampOf } from './stamp.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** In few files, for Node.js and for older versions of it than packages support, on which a clone runs. */
const OPTIONS = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  write: false,
  logLevel: 'warning',
}

linkOwnPackages(root)

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
  await bundle(home, entries, manifest.bundledLibraries ?? [])
  writeFileSync(stampFile, stamp)
}

/** The sources of what others may import, and of what the package starts itself, such as workers. */
function entriesOf({ exports = {}, imports = {} }) {
  return [...Object.values(exports), ...Object.values(imports)]
    .map((target) => target.default ?? target)
    .filter((file) => /^\.\/build\/.*\.js$/.test(file))
    .map((file) => file.replace('./build/', 'src/').replace(/\.js$/, '.ts'))
}

async function bundle(home, entryPoints, libraries) {
  // Not before it is needed: what was made before runs without it.
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    ...OPTIONS,
    absWorkingDir: home,
    entryPoints,
    outbase: 'src',
    outdir: 'build',
    // At the top, so that a path relative to a source at the top is the same here.
    chunkNames: '[name]-[hash]',
    // Each package is loaded once, whoever imports it.
    packages: 'external',
    sourcemap: true,
    sourcesContent: false,
  })
  if (libraries.length > 0) outputFiles.push(...(await bundleLibraries(build, home, libraries)))
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
  removeOthers(join(home, 'build'), new Set(outputFiles.map(({ path }) => path)))
  rmSync(join(home, 'build', '.compiled'), { recursive: true, force: true })
}

/**
 * Libraries of hundreds of small files in one file each, and what they share; `libraries.json` has their names, and the
 * versions of all packages within. `bin/loading.js` of the command line loads them in place of the originals.
 */
async function bundleLibraries(build, home, libraries) {
  const folder = join(home, 'build', 'libraries')
  const files = Object.fromEntries(
    libraries.map((name) => [name, name.replace(/[@/]/g, '-').replace(/^-/, '')]),
  )
  const { outputFiles, metafile } = await build({
    ...OPTIONS,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(
      libraries.map((name) => [files[name], fileURLToPath(import.meta.resolve(name))]),
    ),
    outdir: folder,
    chunkNames: 'shared-[hash]',
    // What is CommonJS requires the modules of Node.js.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    alias: { 'cross-fetch': join(root, 'scripts/native-fetch.mjs') },
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'eof',
    metafile: true,
  })
  const folders = Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  )
  const packages = [...new Set(folders)].sort()
  const versions = packages.map((path) => {
    const { version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
    return [path.replace('node_modules/', ''), version]
  })
  const contents = JSON.stringify({ files, versions: Object.fromEntries(versions) })
  return [
    ...outputFiles,
    { path: join(folder, 'libraries.json'), contents },
    { path: join(folder, 'LICENSES'), contents: packages.map(licenceOf).join('\n') },
  ]
}

/** As most of them demand of whoever passes them on. */
function licenceOf(path) {
  const file = readdirSync(join(root, path)).find((name) => /^licen[cs]e(\.|-mit|$)/i.test(name))
  const { license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
  const text = file === undefined ? `${license}\n` : readFileSync(join(root, path, file), 'utf8')
  return `${path.replace('node_modules/', '')}\n\n${text}`
}

/** Last, as processes may still load what was made before. */
function removeOthers(folder, made) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (/\.js(\.map)?$/.test(name) && !made.has(path)) rmSync(path)
  }
}
