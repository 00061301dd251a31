import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const SCRIPTS = [
  'scripts/ready-to-run.mjs',
  'scripts/own-packages.mjs',
  'scripts/node-runtime.mjs',
  'packages/cli/bin/require-node.js',
]

/** Replaces npm: installs a package below each of two others that need it, and counts its calls. */
const NPM = `
  import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
  appendFileSync('npm.log', process.argv.slice(2, 3) + '\\n')
  if (process.env.BROKEN) { console.error('no such registry'); process.exit(1) }
  rmSync('node_modules', { recursive: true, force: true })
  const locations = ['node_modules/zod', 'packages/one/node_modules/zod']
  for (const location of locations) mkdirSync(location, { recursive: true })
  const packages = Object.fromEntries(locations.map((location) => [location, {}]))
  writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }))
`

describe('packages installed by npm start and npm test', () => {
  let clone: string
  beforeEach(async () => {
    clone = await mkdtemp(join(tmpdir(), 'vidimus-clone-'))
    for (const file of [...SCRIPTS, 'package.json', 'packages/cli/package.json'])
      await cp(join(ROOT, file), join(clone, file))
    await writeFile(join(clone, 'package-lock.json'), '{}')
    await writeFile(join(clone, 'npm.mjs'), NPM)
  })
  afterEach(() => rm(clone, { recursive: true }))

  const install = (environment: Record<string, string> = {}) =>
    spawnSync(process.execPath, ['-e', "import('./scripts/ready-to-run.mjs').then((to) => to.install())"], {
      cwd: clone,
      env: { PATH: process.env.PATH, npm_execpath: join(clone, 'npm.mjs'), ...environment },
      encoding: 'utf8',
    })
  const lock = (packages: object) => writeFile(join(clone, 'package-lock.json'), JSON.stringify({ packages }))
  const calls = async () => (await readFile(join(clone, 'npm.log'), 'utf8')).trim().split('\n')
  const installs = async (times: number) => {
    const { status, stderr } = install()
    assert.equal(status, 0, stderr)
    assert.deepEqual(
      await calls(),
      Array.from({ length: times }, () => 'ci'),
    )
  }

  it('are the locked ones, installed once', async () => {
    await installs(1)
    await installs(1)
  })

  it('are replaced if the lock file changed', async () => {
    await installs(1)
    await lock({ 'node_modules/zod': { version: '4.6.7' } })
    await installs(2)
    await installs(2)
  })

  it('are kept if only our own packages changed in the lock file', async () => {
    await lock({ 'packages/one': { version: '0.1.0' } })
    await installs(1)
    await mkdir(join(clone, 'node_modules', 'sqlite3'))
    await writeFile(join(clone, 'node_modules', 'sqlite3', 'index.js'), '')
    await lock({ 'packages/one': { version: '0.2.0' } })
    await installs(1)
  })

  it('are replaced if node_modules is of unknown origin', async () => {
    await mkdir(join(clone, 'node_modules', 'zod'), { recursive: true })
    await installs(1)
  })

  it('are replaced if packages are missing, in nested folders too', async () => {
    await installs(1)
    await rm(join(clone, 'packages', 'one', 'node_modules'), { recursive: true })
    await installs(2)
    await rm(join(clone, 'node_modules', 'zod'), { recursive: true })
    await installs(3)
    await rm(join(clone, 'node_modules', '.package-lock.json'))
    await installs(4)
  })

  it('do not count if npm failed, and the failure is shown', async () => {
    const { status, stderr } = install({ BROKEN: 'yes' })
    assert.equal(status, 1)
    assert.match(stderr, /failed after .*\n\nno such registry\n$/s)
    await installs(2)
  })

  describe('after somebody ran npm before', () => {
    const locked = {
      '': { name: 'vidimus' },
      'node_modules/sqlite3': { version: '6.0.1' },
      'node_modules/other-system': { version: '1.0.0', optional: true },
    }
    /** @param loads - whether SQLite was compiled for this machine */
    const runNpm = async (version: string, loads = true) => {
      await lock(locked)
      const folder = join(clone, 'node_modules', 'sqlite3')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'index.js'), loads ? '' : 'throw new Error("no binding")')
      await writeFile(
        join(clone, 'node_modules', '.package-lock.json'),
        JSON.stringify({ packages: { 'node_modules/sqlite3': { version } } }),
      )
    }
    const installsNothing = async () => {
      assert.equal(install().status, 0)
      await assert.rejects(calls(), { code: 'ENOENT' })
    }

    it('are left alone, repeatedly', async () => {
      await runNpm('6.0.1')
      await installsNothing()
      await installsNothing()
    })

    it('are replaced if they differ from the lock file', async () => {
      await runNpm('6.0.0')
      await installs(1)
    })

    it('are replaced if SQLite was not compiled for this machine', async () => {
      await runNpm('6.0.1', false)
      await installs(1)
    })
  })
})
