import assert from 'node:assert/strict'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { constants, Script } from 'node:vm'
import { installedPackages, resolvePackage, splitSpecifier } from '../package-resolution.js'
import { ConfigurationFolder } from './support/configuration-folder.js'

const ITSELF = 'export const url = import.meta.url'

/** Node.js’s own answer: what `import` in a module of this folder loads. Experimental, hence not for production. */
async function importedFrom(folder: string, specifier: string): Promise<string | undefined> {
  const script = new Script('(specifier) => import(specifier)', {
    filename: join(folder, 'asking.js'),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const load = script.runInThisContext() as (specifier: string) => Promise<{ url?: string; default?: string }>
  try {
    const loaded = await load(specifier)
    return loaded.url ?? loaded.default
  } catch {
    return undefined
  }
}

const PACKAGES: Record<string, [object | undefined, Record<string, string>]> = {
  'esm-only': [
    { type: 'module', exports: { '.': { import: './i.js' }, './sub': './sub.js' } },
    { 'i.js': ITSELF, 'sub.js': ITSELF },
  ],
  both: [
    { exports: { import: './i.mjs', require: './r.cjs' } },
    { 'i.mjs': ITSELF, 'r.cjs': 'module.exports = __filename' },
  ],
  sync: [{ exports: { 'module-sync': './s.mjs', default: './d.mjs' } }, { 's.mjs': ITSELF, 'd.mjs': ITSELF }],
  '@scope/pattern': [{ exports: { './*': './lib/*.mjs' } }, { 'lib/a.mjs': ITSELF }],
  main: [{ type: 'module', main: './lib/main.js' }, { 'lib/main.js': ITSELF }],
  'main-without-ending': [
    { main: 'lib' },
    { 'lib/index.js': 'module.exports = require("node:url").pathToFileURL(__filename).href' },
  ],
  'no-manifest': [
    undefined,
    { 'index.js': 'module.exports = require("node:url").pathToFileURL(__filename).href' },
  ],
  'null-exports': [{ type: 'module', exports: null, main: 'm.js' }, { 'm.js': ITSELF }],
  'missing-file': [{ exports: './no.js' }, {}],
  empty: [{}, {}],
  outside: [{ exports: { '.': '../both/i.mjs', './sub/*': './*' } }, {}],
}

describe('finding packages from a folder', () => {
  let folder: ConfigurationFolder
  before(async () => {
    folder = await ConfigurationFolder.create({
      'package.json': JSON.stringify({ name: 'project', exports: { './own': './own.mjs' } }),
      'own.mjs': ITSELF,
      'inner/readme': '',
      'node_modules/broken/package.json': '{',
    })
    for (const [name, [manifest, files]] of Object.entries(PACKAGES)) {
      const root = `node_modules/${name}`
      if (manifest) await folder.write(`${root}/package.json`, JSON.stringify(manifest))
      for (const [file, text] of Object.entries(files)) await folder.write(`${root}/${file}`, text)
    }
    await folder.write('workspace/linked/package.json', JSON.stringify({ exports: './i.mjs' }))
    await folder.write('workspace/linked/i.mjs', ITSELF)
    await symlink(join(folder.path, 'workspace/linked'), join(folder.path, 'node_modules/linked'))
    await mkdir(join(folder.path, 'inner/node_modules/both'), { recursive: true })
    await folder.write(
      'inner/node_modules/both/index.js',
      'module.exports = require("node:url").pathToFileURL(__filename).href',
    )
  })
  after(() => folder.remove())

  const specifiers = [
    'esm-only',
    'esm-only/sub',
    'esm-only/i.js',
    'both',
    'both/i.mjs',
    'sync',
    '@scope/pattern/a',
    '@scope/pattern/b',
    '@scope/pattern',
    'main',
    'main/lib/main.js',
    'main/lib/none.js',
    'main-without-ending',
    'no-manifest',
    'null-exports',
    'missing-file',
    'linked',
    'broken',
    'not-installed',
    'project/own',
    'project',
  ]
  for (const specifier of specifiers) {
    for (const inner of ['', 'inner']) {
      it(`agrees with Node.js on ${specifier}${inner && ' from a folder below'}`, async () => {
        const from = join(folder.path, inner)
        const parts = splitSpecifier(specifier)
        assert.ok(parts)
        const found = resolvePackage(parts.name, parts.subpath, from)
        const loaded = found.kind === 'file' ? await importedFrom(from, found.url) : undefined
        assert.equal(loaded, await importedFrom(from, specifier))
      })
    }
  }

  it('distinguishes missing packages from unusable ones', () => {
    const kind = (name: string, subpath = '.') => resolvePackage(name, subpath, folder.path)
    assert.deepEqual(kind('not-installed'), { kind: 'not-installed' })
    assert.deepEqual(kind('esm-only', './i.js'), {
      kind: 'unusable',
      reason: 'its package.json does not export "./i.js"',
    })
    assert.deepEqual(kind('@scope/pattern'), { kind: 'unusable', reason: 'it exports no main module' })
    assert.match(JSON.stringify(kind('broken')), /Invalid package config .*broken.package\.json/)
    assert.match(JSON.stringify(kind('missing-file')), /no\.js is missing/)
    assert.match(JSON.stringify(kind('main', './x')), /its file .*main.x is missing/)
    assert.deepEqual(kind('empty'), { kind: 'unusable', reason: 'it has no main module' })
    for (const scheme of ['data:text/javascript,1', 'https://example.com/x']) {
      assert.deepEqual(kind(scheme), { kind: 'not-installed' })
    }
    assert.match(JSON.stringify(kind('outside')), /Invalid .*exports.* target/)
    assert.match(JSON.stringify(kind('outside', './sub/../../x.js')), /Invalid module/)
  })

  it('knows which packages are installed', () => {
    assert.ok(installedPackages(folder.path, undefined).includes('esm-only'))
    assert.deepEqual(installedPackages(folder.path, '@scope'), ['@scope/pattern'])
  })

  it('splits package names from subpaths', () => {
    assert.deepEqual(splitSpecifier('@a/b/c/d.js'), { name: '@a/b', subpath: './c/d.js' })
    assert.deepEqual(splitSpecifier('a'), { name: 'a', subpath: '.' })
    for (const text of ['@a', './a', '/a', 'a/', '.a', 'a%2f', ''])
      assert.equal(splitSpecifier(text), undefined)
  })
})
