import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { commandHere } from '../../../../test/support/command-here.js'
import type { PluginKind } from '../plugin-template.js'

const root = resolve(import.meta.dirname, '../../../..')
const run = promisify(execFile)

const KINDS: [PluginKind, name: string, folder: string, exported: RegExp][] = [
  ['list-type', 'acme-block-list', 'acme-block-list', /AcmeBlockList/],
  ['did-method', 'acme2', 'did-method-acme2', /Acme2DIDProvider[^]*getAcme2DidResolver/],
  ['credential-format', 'acme-badge', 'elsewhere', /AcmeBadge/],
]

describe('vidimus plugin new', () => {
  let folder: string
  const printed = new Map<PluginKind, string>()
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-plugin-'))
    // What npm install would install.
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const vidimus = join(root, 'packages/cli/bin/vidimus.js')
    for (const [kind, name, where] of KINDS) {
      const named = where === 'elsewhere' ? ['--directory', where] : []
      const { stdout } = await run(process.execPath, [vidimus, 'plugin', 'new', kind, name, ...named], {
        cwd: folder,
      })
      printed.set(kind, stdout)
    }
    // As `tsc` in each of them, with what they share read once.
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [tsc, '--build', ...KINDS.map(([, , where]) => where)], { cwd: folder })
  })
  after(() => rm(folder, { recursive: true }))
  const newHere = (...args: string[]) => commandHere(['plugin', 'new', ...args], process.env)

  for (const [kind, , where, exported] of KINDS) {
    it(`creates a ${kind} that builds and passes its own tests`, async () => {
      assert.match(printed.get(kind) ?? '', /npm test/)
      const directory = join(folder, where)
      assert.match(await readFile(join(directory, 'src/index.ts'), 'utf8'), exported)
      const mocha = join(root, 'node_modules/mocha/bin/mocha.js')
      const { stdout: tested } = await run(process.execPath, [mocha], { cwd: directory })
      assert.match(tested, /[1-9]\d* passing/)
      assert.doesNotMatch(tested, /failing/)
      assert.ok((await readdir(join(directory, 'build'))).includes('index.d.ts'))
    })

    it(`leaves no placeholder in a new ${kind}`, async () => {
      const entries = await readdir(join(folder, where), { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name))
      assert.ok(files.length >= 6)
      for (const file of files) {
        assert.doesNotMatch(file.slice(folder.length), /template/i)
        assert.doesNotMatch(await readFile(file, 'utf8'), /template-?name|"0\.0\.0"/i)
      }
    })
  }

  it('uses the same dependency versions as this project', async () => {
    const versionsIn = async (file: string) => {
      const manifest = JSON.parse(await readFile(file, 'utf8')) as Record<
        'dependencies' | 'devDependencies' | 'peerDependencies',
        Record<string, string> | undefined
      > & { name: string; version: string }
      return {
        own: [manifest.name, manifest.version] as const,
        needed: { ...manifest.dependencies, ...manifest.devDependencies },
      }
    }
    const packages = await readdir(join(root, 'packages'))
    const manifests = await Promise.all(
      ['package.json', ...packages.map((name) => `packages/${name}/package.json`)].map((file) =>
        versionsIn(join(root, file)),
      ),
    )
    const known = new Map(manifests.flatMap(({ own, needed }) => [...Object.entries(needed), own]))
    for (const [, , where] of KINDS) {
      const { needed } = await versionsIn(join(folder, where, 'package.json'))
      for (const [dependency, version] of Object.entries(needed)) {
        const [, packed = version] = /^file:packages\/vidimus-[a-z-]+-(.+)\.tgz$/.exec(version) ?? []
        assert.equal(packed, known.get(dependency), dependency)
      }
    }
  })

  it('names every package that it imports', async () => {
    for (const [, , where] of KINDS) {
      const manifest = JSON.parse(await readFile(join(folder, where, 'package.json'), 'utf8')) as Record<
        'dependencies' | 'devDependencies',
        Record<string, string> | undefined
      >
      const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
      for (const program of ['mocha', 'tsx', 'typescript']) assert.ok(named.includes(program), where)
      const entries = await readdir(join(folder, where, 'src'), { recursive: true, withFileTypes: true })
      for (const entry of entries.filter((each) => each.isFile())) {
        const text = await readFile(join(entry.parentPath, entry.name), 'utf8')
        for (const [, imported = ''] of text.matchAll(/from '((?:@[\w-]+\/)?[\w][\w-]*)(?:\/[^']*)?'/g))
          assert.ok(named.includes(imported), `${where}: ${imported}`)
      }
    }
  })

  it('refuses invalid names with exit code 2', async () => {
    const directory = join(folder, 'refused')
    for (const [kind, name, message] of [
      ['list-type', 'My List', /lower-case letters/],
      ['list-type', '../escape', /lower-case letters/],
      ['credential-format', 'myFormat', /lower-case letters/],
      ['did-method', 'my-method', /only lower-case letters and digits/],
      ['did-method', 'Acme', /only lower-case letters and digits/],
    ] as const) {
      const { code, complained } = await newHere(kind, name, '--directory', directory)
      assert.equal(code, 2)
      assert.match(complained, message)
    }
    const { complained } = await newHere('list-type', 'My List', '--folder', 'here', '-d', directory)
    assert.match(complained, /unknown option '--folder'[^]*'My List' is invalid for argument 'name'/)
    assert.equal(existsSync(directory), false)
  })

  it('overwrites nothing', async () => {
    const directory = join(folder, 'acme-list')
    await mkdir(directory)
    await writeFile(join(directory, 'notes.txt'), 'mine')
    const { code, complained } = await newHere('list-type', 'acme-list', '--directory', directory)
    assert.equal(code, 1)
    assert.match(complained, /is not empty/)
    assert.deepEqual(await readdir(directory), ['notes.txt'])
  })
})
