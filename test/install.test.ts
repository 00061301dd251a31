import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const SCRIPT = resolve(import.meta.dirname, '../scripts/ready-to-run.mjs')

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
    await mkdir(join(clone, 'scripts'))
    await cp(SCRIPT, join(clone, 'scripts', 'ready-to-run.mjs'))
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
    await writeFile(join(clone, 'package-lock.json'), '{ "packages": {} }')
    await installs(2)
    await installs(2)
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
      await writeFile(join(clone, 'package-lock.json'), JSON.stringify({ packages: locked }))
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
