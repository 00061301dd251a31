// Makes the files that the service serves at /console and /docs, where they are out of date: npm run build.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMadeOf, stampOf } from '../../scripts/stamp.mjs'

const home = dirname(fileURLToPath(import.meta.url))
const source = join(home, 'src')
// Of the bundler and what it bundles.
const lockFile = join(home, '..', '..', 'package-lock.json')
const page = join(home, 'build', 'page')
const swaggerUi = join(home, 'build', 'swagger-ui')
const stampFile = join(home, 'build', '.bundled')

const stamp = stampOf(home, [source, join(home, '..', 'client', 'build'), join(home, 'bundle.mjs'), lockFile])
if (
  !existsSync(join(page, 'index.html')) ||
  !existsSync(join(swaggerUi, 'LICENSE')) ||
  !isMadeOf(stamp, stampFile)
) {
  await bundle()
  copySwaggerUi()
  writeFileSync(stampFile, stamp)
}

async function bundle() {
  rmSync(page, { recursive: true, force: true })
  mkdirSync(page, { recursive: true })
  // Not before it is needed: an installation without it may use what was made before.
  const { build } = await import('esbuild')
  const { metafile } = await build({
    entryPoints: [join(source, 'main.tsx'), join(source, 'console.css')],
    outdir: page,
    // The content is in the name, so that browsers may keep a file for good.
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    absWorkingDir: home,
  })
  const made = (ending) => {
    const [path] = Object.keys(metafile.outputs).filter((name) => name.endsWith(ending))
    return path.split('/').at(-1)
  }
  const html = readFileSync(join(source, 'index.html'), 'utf8')
  writeFileSync(
    join(page, 'index.html'),
    html.replace('%STYLE%', made('.css')).replace('%SCRIPT%', made('.js')),
  )
}

// The page of the API document. An installation of the package would bring its variants and source maps, 11 MB.
function copySwaggerUi() {
  const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  mkdirSync(swaggerUi, { recursive: true })
  for (const name of [
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'favicon-16x16.png',
    'favicon-32x32.png',
    'NOTICE',
    'LICENSE',
  ])
    copyFileSync(join(from, name), join(swaggerUi, name))
}
