// Run by `lerna version`, once the packages have their new version: the places that name it beside them, and the heading of
// the changelog.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const read = (file) => readFileSync(join(root, file), 'utf8')

const before = JSON.parse(read('package.json')).version
const { version } = JSON.parse(read('lerna.json'))
const FILES = [
  'package.json',
  'deploy/Dockerfile',
  'deploy/README.md',
  'deploy/compose.yml',
  'deploy/helm/vidimus/Chart.yaml',
  'deploy/kubernetes/kustomization.yml',
  'deploy/kubernetes/migrate/kustomization.yml',
  'docs/cheqd.md',
]
for (const file of FILES) {
  const text = read(file)
  if (!text.includes(before)) throw new Error(`${file} does not name ${before}`)
  writeFileSync(join(root, file), text.replaceAll(before, version))
}

// The examples are not released, but are installed with the packages of this repository.
const examples = readdirSync(join(root, 'examples'))
  .map((name) => `examples/${name}/package.json`)
  .filter((file) => existsSync(join(root, file)))
for (const file of examples) {
  const text = read(file)
  writeFileSync(
    join(root, file),
    text.replaceAll(new RegExp(`("@vidimus/[\\w-]+": )"${before}"`, 'g'), `$1"${version}"`),
  )
}

const [today] = new Date().toISOString().split('T')
const changelog = read('CHANGELOG.md')
if (!changelog.includes('\n## Unreleased\n')) throw new Error('CHANGELOG.md has no heading "Unreleased"')
writeFileSync(
  join(root, 'CHANGELOG.md'),
  changelog.replace('\n## Unreleased\n', `\n## Unreleased\n\n## ${version} - ${today}\n`),
)
execFileSync('git', ['add', 'CHANGELOG.md', ...FILES, ...examples], { cwd: root })
