import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { PluginKind } from '../plugin-template.js'

const root = resolve(import.meta.dirname, '../../../..')
const vidimus = join(root, 'packages/cli/bin/vidimus.js')
const run = promisify(execFile)

describe('vidimus plugin new', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-plugin-'))
    // What npm install would install.
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  })
  afterEach(() => rm(folder, { recursive: true }))
  const vidimusIn = (...args: string[]) =>
    run(process.execPath, [vidimus, 'plugin', 'new', ...args], { cwd: folder }).catch((error: unknown) => {
      const { code, stderr } = error as { code: number; stderr: string }
      return { code, stderr, stdout: '' }
    })

  const kinds: [PluginKind, name: string, packageName: string, exported: RegExp][] = [
    ['list-type', 'acme-block-list', 'acme-block-list', /AcmeBlockList/],
    ['did-method', 'acme2', 'did-method-acme2', /Acme2DIDProvider[^]*getAcme2DidResolver/],
    ['credential-format', 'acme-badge', 'acme-badge', /AcmeBadge/],
  ]
  for (const [kind, name, packageName, exported] of kinds) {
    it(`creates a ${kind} that builds and passes its own tests`, async () => {
      const { stdout } = await vidimusIn(kind, name)
      assert.match(stdout, /npm test/)
      const directory = join(folder, packageName)
      assert.match(await readFile(join(directory, 'src/index.ts'), 'utf8'), exported)
      const node = (...args: string[]) => run(process.execPath, args, { cwd: directory })
      await node(join(root, 'node_modules/typescript/bin/tsc'))
      const { stdout: tested } = await node(join(root, 'node_modules/mocha/bin/mocha.js'))
      assert.match(tested, /[1-9]\d* passing/)
      assert.doesNotMatch(tested, /failing/)
      assert.ok((await readdir(join(directory, 'build'))).includes('index.d.ts'))
    })

    it(`leaves no placeholder in a new ${kind}`, async () => {
      await vidimusIn(kind, name, '--directory', 'elsewhere')
      const entries = await readdir(join(folder, 'elsewhere'), { recursive: true, withFileTypes: true })
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
    for (const [kind, name, packageName] of kinds) {
      await vidimusIn(kind, name)
      const { needed } = await versionsIn(join(folder, packageName, 'package.json'))
      for (const [dependency, version] of Object.entries(needed)) {
        const [, packed = version] = /^file:packages\/vidimus-[a-z-]+-(.+)\.tgz$/.exec(version) ?? []
        assert.equal(packed, known.get(dependency), dependency)
      }
    }
  })

  it('refuses invalid names with exit code 2', async () => {
    for (const [kind, name, message] of [
      ['list-type', 'My List', /lower-case letters/],
      ['list-type', '../escape', /lower-case letters/],
      ['credential-format', 'myFormat', /lower-case letters/],
      ['did-method', 'my-method', /only lower-case letters and digits/],
      ['did-method', 'Acme', /only lower-case letters and digits/],
    ] as const) {
      const answer = await vidimusIn(kind, name)
      assert.deepEqual('code' in answer && answer.code, 2)
      assert.match(answer.stderr, message)
    }
    const { stderr } = await vidimusIn('list-type', 'My List', '--folder', 'here')
    assert.match(stderr, /unknown option '--folder'[^]*'My List' is invalid for argument 'name'/)
    assert.deepEqual(await readdir(folder), ['node_modules'])
  })

  it('overwrites nothing', async () => {
    await mkdir(join(folder, 'acme-list'))
    await writeFile(join(folder, 'acme-list', 'notes.txt'), 'mine')
    const answer = await vidimusIn('list-type', 'acme-list')
    assert.equal('code' in answer && answer.code, 1)
    assert.match(answer.stderr, /is not empty/)
    assert.deepEqual(await readdir(join(folder, 'acme-list')), ['notes.txt'])
  })
})
