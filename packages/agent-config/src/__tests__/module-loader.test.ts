import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigurationFolder, places } from './support/configuration-folder.js'

const manifest = JSON.stringify({ type: 'module', exports: { '.': { import: './index.js' } } })

describe('modules of a configuration', () => {
  let folder: ConfigurationFolder
  let elsewhere: ConfigurationFolder
  before(async () => {
    folder = await ConfigurationFolder.create({
      'node_modules/project-plugin/package.json': manifest,
      'node_modules/project-plugin/index.js': 'export const from = "the project"',
      'node_modules/@veramo/core/package.json': manifest,
      'node_modules/@veramo/core/index.js': 'export const from = "the project"',
      'node_modules/lonely/package.json': manifest,
      'node_modules/lonely/index.js': 'import "what-it-needs"\nexport const x = 1',
      'node_modules/common/index.js': 'const all = {}; all["late" + ""] = 1; module.exports = all',
      'node_modules/@vidimus/core-types/package.json': JSON.stringify({ version: '0.1.7', main: 'index.js' }),
      'node_modules/@vidimus/core-types/index.js': '',
      ...Object.fromEntries(
        Object.entries({ fits: '^0.1.2', early: '^0.2.0' }).flatMap(([name, range]) => {
          const peerDependencies = { '@vidimus/core-types': range, '@vidimus/absent': '^9.0.0' }
          const text = JSON.stringify({
            version: '3.0.0',
            type: 'module',
            main: 'index.js',
            peerDependencies,
          })
          return [
            [`node_modules/${name}/package.json`, text],
            [`node_modules/${name}/index.js`, 'export const x = 1'],
          ]
        }),
      ),
      'lib/relative.mjs': 'export const from = "beside the configuration"\nexport default 5',
      'throws.mjs': 'throw new Error("cannot begin")',
    })
    elsewhere = await ConfigurationFolder.create({
      'node_modules/global-plugin/package.json': manifest,
      'node_modules/global-plugin/index.js': 'export const from = "where the command line is installed"',
      'node_modules/project-plugin/package.json': manifest,
      'node_modules/project-plugin/index.js': 'export const from = "the wrong place"',
    })
  })
  after(() => Promise.all([folder.remove(), elsewhere.remove()]))

  const build = (require: string) =>
    folder.build(`a: { $require: '${require}' }`, '/a', {
      resolveFrom: [pathToFileURL(join(elsewhere.path, 'main.js')).href],
    })
  const fail = async (require: string) =>
    (await folder.fail(`a: { $require: '${require}' }`, '/a')).problems[0]

  it('are looked up first from the folder of the configuration file', async () => {
    assert.equal(await build('project-plugin?t=object#from'), 'the project')
    assert.equal(await build('@veramo/core?t=object#from'), 'the project')
  })

  it('are looked up next from the folder that the caller names', async () => {
    assert.equal(await build('global-plugin?t=object#from'), 'where the command line is installed')
  })

  it('are looked up last from this package', async () => {
    assert.equal(typeof (await build('yaml?t=object#parse')), 'function')
  })

  it('are the same instances that everybody else loads', async () => {
    assert.equal(await build('yaml?t=object#parse'), (await import('yaml')).parse)
  })

  it('may be next to the configuration file', async () => {
    assert.equal(await build('./lib/relative.mjs?t=object#from'), 'beside the configuration')
    assert.equal(await build('./lib/../lib/relative.mjs?t=object#default'), 5)
    assert.equal(await build(`${join(folder.path, 'lib/relative.mjs')}?t=object#default`), 5)
    assert.equal(
      await build(`${pathToFileURL(join(folder.path, 'lib/relative.mjs')).href}?t=object#default`),
      5,
    )
  })

  it('may be built into Node.js', async () => {
    const path = await import('node:path')
    assert.equal(await build('node:path?t=object#posix'), path.posix)
    assert.equal(await build('path?t=object#posix'), path.posix)
  })

  it('may be CommonJS with exports that are only known at run time', async () => {
    assert.equal(await build('common?t=object#late'), 1)
  })

  it('fit the packages of this installation, or are refused with both versions', async () => {
    assert.equal(await build('fits?t=object#x'), 1)
    const problem = await fail('early?t=object#x')
    assert.equal(
      problem?.message,
      'the package "early" was made for @vidimus/core-types ^0.2.0, and 0.1.7 is installed',
    )
    assert.match(problem.advice ?? '', /a version of "early" for 0\.1\.7/)
  })

  it('are located if not installed', async () => {
    const problem = await fail('not-installed#X')
    assert.equal(problem?.message, 'the package "not-installed" is not installed')
    assert.equal(problem?.advice, 'to install it: npm install not-installed')
    assert.equal(
      (await fail('project-plugn'))?.advice,
      'did you mean "project-plugin"? to install it: npm install project-plugn',
    )
  })

  it('are located if they do not export the subpath', async () => {
    assert.equal(
      (await fail('project-plugin/index.js#x'))?.message,
      'the package "project-plugin" cannot be used: its package.json does not export "./index.js"',
    )
  })

  it('are located if the file is missing', async () => {
    const problem = await fail('./lib/relatve.mjs')
    assert.equal(
      problem?.message,
      `there is no module "./lib/relatve.mjs" at ${join(folder.path, 'lib/relatve.mjs')}`,
    )
    assert.equal(problem?.advice, 'did you mean "relative.mjs" there?')
    assert.equal((await fail('./lib/relative'))?.advice, 'did you mean "relative.mjs" there?')
    assert.match(
      (await fail('./nowhere/x.js'))?.advice ?? '',
      /relative to the folder of the configuration file/,
    )
  })

  it('are located if loading them fails', async () => {
    assert.equal(
      (await fail('./throws.mjs'))?.message,
      '"./throws.mjs" cannot be loaded: Error: cannot begin',
    )
    const lonely = await fail('lonely#x')
    assert.equal(
      lonely?.message,
      '"lonely" cannot be loaded: its dependency "what-it-needs" is not installed',
    )
    assert.equal(lonely.advice, 'to install it with its dependencies: npm install lonely')
  })

  it('are located if they are neither packages nor paths', async () => {
    assert.match((await fail('@veramo'))?.message ?? '', /neither a package nor a path/)
    assert.match(
      (await fail('https://example.com/x.js'))?.message ?? '',
      /neither a package nor a path|not installed/,
    )
  })

  it('are all reported at once, together with grammar errors, before anything is built', async () => {
    const error = await folder.fail(
      `a:\n  - { $require: './objects.mjs#Failing', $args: [built] }\n  - { $require: './no.mjs' }\n  - { $require: './objects.mjs#Recordr' }\n  - { $env: NO }\n`,
      '/a',
    )
    assert.deepEqual(
      places(error).map((place) => place.replace(/ at .*/, '')),
      [
        '4:17 a[1]: there is no module "./no.mjs"',
        '5:17 a[2]: "./objects.mjs" has no export "Recordr"',
        '6:13 a[3]: the environment variable NO is not set',
      ],
    )
  })
})
