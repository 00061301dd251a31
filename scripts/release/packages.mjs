// npm run packages -- FOLDER: what a release publishes, in an empty folder: each package as a file, what they bring along
// (CycloneDX), and checksums. Packs what is built.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

function npm(cwd, ...args) {
  const { status, stdout, error } = spawnSync('npm', args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
  return stdout
}

/**
 * Of the tree that an installation of all packages gets. `npm sbom` here would leave out what a package needs and the tests
 * of this repository need too.
 */
function billOfMaterials(packages) {
  const temporary = mkdtempSync(join(tmpdir(), 'vidimus-sbom-'))
  // Its name becomes that of what is described.
  const empty = join(temporary, 'vidimus')
  mkdirSync(empty)
  try {
    const dependencies = Object.fromEntries(
      packages.map(({ name, filename }) => [name, `file:${join(folder, filename)}`]),
    )
    const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const manifest = { name: 'vidimus-packages', version, license, dependencies }
    writeFileSync(join(empty, 'package.json'), JSON.stringify(manifest))
    npm(
      empty,
      'install',
      '--package-lock-only',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
    )
    const bill = JSON.parse(npm(empty, 'sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'))
    return JSON.stringify(bill, withoutLocalFiles, 2)
  } finally {
    rmSync(temporary, { recursive: true })
  }
}

/** Our own packages come from files of this machine, which nobody else has. */
const withoutLocalFiles = (key, value) =>
  key === 'externalReferences' ? value.filter(({ url }) => !url.startsWith('file:')) : value

const [given] = process.argv.slice(2)
if (given === undefined) {
  console.error('npm run packages -- FOLDER')
  process.exit(2)
}
const folder = resolve(given)
mkdirSync(folder, { recursive: true })
if (readdirSync(folder).length > 0) {
  console.error(`${folder} is not empty`)
  process.exit(1)
}

const paths = readdirSync(join(root, 'packages')).map((name) => `./packages/${name}`)
const packed = npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...paths)
writeFileSync(join(folder, 'packages.json'), packed)
writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials(JSON.parse(packed)))

const sums = readdirSync(folder).map((name) => {
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')
  return `${sum}  ${name}\n`
})
writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
console.log(`${paths.length} packages in ${folder}`)
