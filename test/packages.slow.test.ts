import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { servePackages, type PackedPackage } from './support/package-registry.js'
import { engines, read, root, version } from './support/repository.js'

const run = promisify(execFile)

/** The required members of a published manifest, besides its dependencies. */
interface Manifest {
  name: string
  version: string
  description: string
  license: string
  engines: { node: string }
  exports?: Record<string, string | { types: string; default: string }>
  bin?: Record<string, string>
  publishConfig: { access: string }
  dependencies?: Record<string, string>
}

describe('the packages that are published', () => {
  let folder: string
  let packed: PackedPackage[]
  let registry: Awaited<ReturnType<typeof servePackages>>
  let installed: string

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-packages-'))
    const files = join(folder, 'files')
    await run('npm', ['run', 'packages', '--', files], { cwd: root })
    packed = JSON.parse(await readFile(join(files, 'packages.json'), 'utf8')) as PackedPackage[]
    registry = await servePackages(files, packed)
    installed = await installAll()
  })
  after(async () => {
    registry.close()
    await rm(folder, { recursive: true })
  })

  /** In an empty folder, from the registry, as people install them. */
  async function installAll(): Promise<string> {
    const directory = join(folder, 'installed')
    await mkdir(directory)
    const own = packed.find(({ name }) => name === 'vidimus')
    const wanted = packed.map(({ name }) => name).filter((name) => name !== 'vidimus')
    await run(
      'npm',
      [
        ...['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'],
        `--@vidimus:registry=${registry.url}`,
        ...[`${registry.url}/${own?.filename}`, ...wanted],
      ],
      { cwd: directory },
    )
    // SQLite was compiled for this repository, which takes two minutes.
    const binding = 'node_modules/sqlite3/build'
    await cp(join(root, binding), join(directory, binding), { recursive: true })
    return directory
  }

  const manifests = () =>
    Promise.all(
      packed.map(async (one) => {
        const text = await readFile(join(installed, 'node_modules', one.name, 'package.json'), 'utf8')
        return { ...one, manifest: JSON.parse(text) as Manifest }
      }),
    )

  it('have a README, the licence, types and no tests', async () => {
    for (const { name, files, manifest } of await manifests()) {
      const paths = files.map(({ path }) => path)
      for (const file of ['README.md', 'LICENSE', 'package.json'])
        assert.ok(paths.includes(file), `${name} ${file}`)
      const own = paths.filter((path) => !path.startsWith('templates/'))
      assert.deepEqual(
        own.filter((path) => /__tests__|\.test\.|tsbuildinfo|\.bundled/.test(path)),
        [],
        name,
      )
      const parts = Object.values(manifest.exports ?? {}).flatMap((part) =>
        typeof part === 'string' ? [part] : [part.types, part.default],
      )
      assert.ok(parts.length > 0, name)
      for (const part of [...parts, ...Object.values(manifest.bin ?? {})])
        assert.ok(paths.includes(part.replace(/^\.\//, '')), `${name} has ${part}`)
    }
  })

  it('come with checksums and with what they are made of', async () => {
    await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: join(folder, 'files') })
    const bom = JSON.parse(await readFile(join(folder, 'files/sbom.cdx.json'), 'utf8')) as {
      bomFormat: string
      components: { purl: string }[]
    }
    assert.equal(bom.bomFormat, 'CycloneDX')
    const urls = bom.components.map(({ purl }) => purl)
    const has = (name: string) => urls.some((url) => url.startsWith(`pkg:npm/${name}@`))
    assert.deepEqual(['typeorm', '%40vidimus/status-list', 'express'].filter(has).length, 3)
    assert.deepEqual(['mocha', 'lerna', '%40vidimus-examples/did-method'].filter(has), [])
  })

  it('say what they are, under one version and licence', async () => {
    for (const { name, manifest } of await manifests()) {
      const { description, license, engines: needed, publishConfig } = manifest
      assert.ok(description.length > 20 && description.length < 140, name)
      assert.deepEqual(
        { version: manifest.version, license, needed, publishConfig },
        { version, license: 'Apache-2.0', needed: engines, publishConfig: { access: 'public' } },
        name,
      )
      assert.equal(
        await readFile(join(installed, 'node_modules', name, 'LICENSE'), 'utf8'),
        read('LICENSE'),
        name,
      )
    }
  })

  it('can all be imported where they are installed, and have what their READMEs name', async () => {
    const file = join(installed, 'import-all.mjs')
    const wanted: (readonly [specifier: string, member?: string])[] = []
    for (const { name, manifest } of await manifests()) {
      if (name === '@vidimus/console') continue
      for (const path of Object.keys(manifest.exports ?? {}))
        if (!path.includes('worker')) wanted.push([`${name}${path.slice(1)}`])
      const readme = await readFile(join(installed, 'node_modules', name, 'README.md'), 'utf8')
      for (const [, yaml = ''] of readme.matchAll(/```yaml\n(.*?)```/gs)) {
        assert.ok(parse(yaml))
        for (const [, specifier = '', member] of yaml.matchAll(/\$require: '([^?#']+)[^#']*#(\w+)'/g))
          wanted.push([specifier, member ?? ''])
      }
      for (const [, members = '', specifier = ''] of readme.matchAll(/import \{ (.*?) \} from '([^']+)'/g))
        for (const member of members.split(', '))
          if (!member.startsWith('type ')) wanted.push([specifier, member])
    }
    await writeFile(
      file,
      `for (const [specifier, member] of ${JSON.stringify(wanted)}) {
         const found = await import(specifier)
         if (member && !(member in found)) throw new Error(specifier + ' has no ' + member)
       }
       process.exit()`,
    )
    await run(process.execPath, [file], { cwd: installed })
    assert.ok(wanted.length > packed.length)
  })

  it('run the service in an empty folder', async () => {
    const empty = join(folder, 'empty')
    await mkdir(empty)
    const child = spawn(join(installed, 'node_modules/.bin/vidimus'), ['start'], {
      cwd: empty,
      env: { PATH: process.env.PATH, PORT: '0' },
    })
    let complained = ''
    child.stderr.on('data', (text: Buffer) => (complained += text.toString()))
    try {
      let url: string | undefined
      for await (const line of createInterface(child.stdout)) {
        url = /REST API {3}(\S+)/.exec(line)?.[1]
        if (url !== undefined) break
      }
      assert.ok(url, complained)
      assert.equal((await fetch(`${url}/health/ready`)).status, 200)
      assert.equal((await fetch(`${url}/console/`)).status, 200)
    } finally {
      child.kill()
      await once(child, 'close')
    }
    assert.deepEqual(await readdir(empty), ['agent.yml', 'data'])
  })

  it('begin packages of all kinds whose tests pass, with nothing of ours from a registry', async function () {
    const none = await servePackages(folder, [])
    const plugins = join(folder, 'plugins')
    await mkdir(plugins)
    const vidimus = join(installed, 'node_modules/.bin/vidimus')
    const begin = (kind: string, name: string) =>
      run(vidimus, ['plugin', 'new', kind, name], { cwd: plugins })
    await Promise.all([
      begin('list-type', 'acme-list'),
      begin('did-method', 'acme'),
      begin('credential-format', 'acme-badge'),
    ])
    // What they need is installed once for all three; that each names what it imports is held where templates are tested.
    const workspaces = ['acme-list', 'did-method-acme', 'acme-badge']
    await writeFile(join(plugins, 'package.json'), JSON.stringify({ private: true, workspaces }))
    const npm = (...args: string[]) =>
      run('npm', [...args, `--@vidimus:registry=${none.url}`], { cwd: plugins })
    await npm('install', '--no-audit', '--no-fund', '--prefer-offline')
    const { stdout } = await npm('test', '--workspaces')
    assert.equal(stdout.match(/[1-9]\d* passing/g)?.length, workspaces.length, stdout)
    await npm('run', 'build', '--workspaces')
    for (const name of workspaces)
      assert.ok((await readdir(join(plugins, name, 'build'))).includes('index.js'))
    none.close()
  })
})
