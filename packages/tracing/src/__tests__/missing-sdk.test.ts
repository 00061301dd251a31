import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Tracing, TracingOptions } from '../index.js'

const here = createRequire(import.meta.url)

/** The package as it is installed where nobody has added the SDK. */
async function installedAlone(folder: string): Promise<new (options: TracingOptions) => Tracing> {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '@vidimus'), { recursive: true })
  await symlink(resolve(import.meta.dirname, '../../../core-types'), join(modules, '@vidimus/core-types'))
  await symlink(dirname(here.resolve('zod/package.json')), join(modules, 'zod'))
  await cp(resolve(import.meta.dirname, '../../build'), join(folder, 'build'), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const { Tracing: Alone } = (await import(pathToFileURL(join(folder, 'build/index.js')).href)) as {
    Tracing: new (options: TracingOptions) => Tracing
  }
  return Alone
}

describe('traces where the SDK is not installed', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-tracing-'))
  })
  after(() => rm(folder, { recursive: true }))

  it('are refused with the name of the package, unless there is no collector', async () => {
    const Alone = await installedAlone(folder)
    await new Alone({}).lifecycle.start?.()
    await assert.rejects(
      async () => new Alone({ endpoint: 'http://127.0.0.1:4318' }).lifecycle.start?.(),
      /traces need .*npm install @vidimus\/tracing-otlp$/,
    )
  })
})
