import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')

describe('bundles of packages', () => {
  let clone: string
  before(async () => {
    clone = await mkdtemp(join(tmpdir(), 'vidimus-bundles-'))
    for (const script of ['bundle-packages.mjs', 'own-packages.mjs', 'stamp.mjs'])
      await cp(join(root, 'scripts', script), join(clone, 'scripts', script))
    await mkdir(join(clone, 'node_modules/@here'), { recursive: true })
    for (const name of ['esbuild', '@esbuild'])
      await symlink(join(root, 'node_modules', name), join(clone, 'node_modules', name))
    await write('package-lock.json', '{}')
    for (const name of ['one', 'two', 'absent']) await addPackage(name)
    for (const name of ['one', 'two'])
      await symlink(join(clone, 'packages', name), join(clone, 'node_modules/@here', name))
    bundle()
  })
  after(() => rm(clone, { recursive: true }))

  async function write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(clone, file)), { recursive: true })
    await writeFile(join(clone, file), text)
  }

  async function addPackage(name: string): Promise<void> {
    const manifest = {
      name: `@here/${name}`,
      type: 'module',
      exports: {
        '.': { types: './build/index.d.ts', default: './build/index.js' },
        './deep/part': './build/deep/part.js',
      },
      imports: { '#worker': './build/worker.js' },
    }
    const file = (path: string) => `packages/${name}/${path}`
    await write(file('package.json'), JSON.stringify(manifest))
    await write(file('src/words.ts'), "export const word: string = 'first'")
    await write(file('src/rare.ts'), "export const rare = 'rare'")
    await write(
      file('src/index.ts'),
      "export { word } from './words.js'\nexport const rare = () => import('./rare.js')",
    )
    await write(file('src/deep/part.ts'), "import { word } from '../words.js'\nexport const part = [word]")
    await write(file('src/worker.ts'), "export const worker = 'worker'")
    await write(file('src/__tests__/words.test.ts'), 'never')
    await write(file('build/old/left-over.js'), 'of a source that is gone')
    await write(file('build/index.d.ts'), 'export declare const word: string')
  }

  function bundle(): void {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/bundle-packages.mjs'], {
      cwd: clone,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
  }

  function run(code: string): unknown {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: join(clone, 'packages/two'),
      encoding: 'utf8',
    })
    assert.equal(stderr, '')
    return JSON.parse(stdout)
  }

  const builtOf = async (name: string) =>
    (await readdir(join(clone, 'packages', name, 'build'), { recursive: true })).filter((file) =>
      file.endsWith('.js'),
    )

  it('are the entries of a package, with what they share and what is loaded when needed', async () => {
    const printed = run(`
      import { word, rare } from '@here/one'
      import { part } from '@here/one/deep/part'
      import { worker } from '#worker'
      console.log(JSON.stringify([word, part, await rare(), worker]))`)
    assert.deepEqual(printed, ['first', ['first'], { rare: 'rare' }, 'worker'])
    const files = (await builtOf('one')).map((file) => file.replace(/-\w+\.js$/, '-*.js')).sort()
    assert.deepEqual(files, ['chunk-*.js', 'deep/part.js', 'index.js', 'rare-*.js', 'worker.js'])
  })

  it('are made again if a source has changed, or are missing', async () => {
    await write('packages/one/src/words.ts', "export const word: string = 'second'")
    bundle()
    const printed = () =>
      run(
        "import { word } from '@here/one'; import { part } from '@here/one/deep/part'; console.log(JSON.stringify([word, part]))",
      )
    assert.deepEqual(printed(), ['second', ['second']])
    await rm(join(clone, 'packages/one/build'), { recursive: true })
    bundle()
    assert.deepEqual(printed(), ['second', ['second']])
    assert.equal((await builtOf('one')).length, 5)
  })

  it('are made for installed packages only', async () => {
    assert.deepEqual(await builtOf('absent'), [join('old', 'left-over.js')])
  })
})
