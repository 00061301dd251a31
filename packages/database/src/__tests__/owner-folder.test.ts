import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createFolder } from '@vidimus/core-types'
import { Database } from '../index.js'

const run = promisify(execFile)

/** Without the right of root to write everywhere. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid?.(65_534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

const NOBODY = process.getuid?.() === 0 ? 65_534 : undefined

/**
 * In a process of its own, as what may be accessed is asked for the real user.
 *
 * @returns why it does not start; `undefined` where that user may not read this project
 */
async function startByNobody(dataDirectory: string): Promise<string | undefined> {
  const module = JSON.stringify(join(import.meta.dirname, '../../build/index.js'))
  const script = `const { Database } = await import(${module})
    const database = new Database(${JSON.stringify({ url: null, dataDirectory, migrations: [] })})
    await database.lifecycle.start().catch((error) => console.log(error.message))`
  try {
    const options = { cwd: '/', ...(NOBODY && { uid: NOBODY }) }
    return (await run(process.execPath, ['--input-type=module', '-e', script], options)).stdout
  } catch {
    return undefined
  }
}

describe('folder of a database', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-folder-'))
    await chmod(folder, 0o755)
  })
  afterEach(() => rm(folder, { recursive: true }))

  const refused = async (options: { url: string | null; dataDirectory?: string }, path: string) => {
    let sentence = ''
    await assert.rejects(new Database({ ...options, migrations: [] }).lifecycle.start(), (error: unknown) => {
      assert.ok(error instanceof Error && 'code' in error && 'details' in error)
      assert.equal(error.code, 'invalid_configuration')
      const [problem] = error.details as { path: string; message: string }[]
      assert.equal(problem?.path, path)
      sentence = problem.message
      return true
    })
    assert.doesNotMatch(sentence, /ENOTDIR|EISDIR|EACCES|ENOENT/)
    return sentence
  }

  it('is created with its parents for the owner only, even by several processes at once', async () => {
    const deep = join(folder, 'a', 'b', 'c')
    const obstacles = await Promise.all(Array.from({ length: 10 }, () => createFolder(deep)))
    assert.deepEqual(
      obstacles.filter((obstacle) => obstacle !== undefined),
      [],
    )
    for (const path of ['a', 'a/b', 'a/b/c']) {
      assert.equal((await stat(join(folder, path))).mode & 0o777, 0o700, path)
    }
  })

  it('is refused if the file system allows no new folders', async function () {
    if (process.platform !== 'linux') this.skip()
    for (const path of ['/proc/vidimus', '/proc/vidimus/deep']) {
      assert.match(
        await refused({ url: null, dataDirectory: path }, 'dataDirectory'),
        /^the folder \/proc\/vidimus cannot be created: .*; choose a folder/,
      )
    }
  })

  it('is refused if it or a parent is a file', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    for (const path of [file, join(file, 'a', 'b')]) {
      const sentence = await refused({ url: null, dataDirectory: path }, 'dataDirectory')
      assert.ok(sentence.startsWith(`${file} is a file, not a folder; choose a folder`), sentence)
    }
    const sentence = await refused({ url: `sqlite:${file}/x.sqlite` }, 'url')
    assert.ok(sentence.startsWith(`${file} is a file, not a folder`), sentence)
  })

  it('is refused if it is not writable', async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed, { mode: 0o555 })
    const [deeper, inside] = await asNobody(async () => [
      await refused({ url: null, dataDirectory: join(closed, 'a', 'b') }, 'dataDirectory'),
      await refused({ url: null, dataDirectory: closed }, 'dataDirectory'),
    ])
    assert.ok(deeper?.startsWith(`the folder ${closed}/a cannot be created: the current user`), deeper)
    assert.ok(
      inside?.startsWith(`the file ${closed}/agent.sqlite cannot be written: the current user`),
      inside,
    )
  })

  it('is refused if SQLite cannot use the files next to the database', async function () {
    const database = new Database({ url: null, dataDirectory: folder, migrations: [] })
    await database.lifecycle.start()
    await database.lifecycle.stop()
    if (NOBODY) for (const name of await readdir(folder)) await chown(join(folder, name), NOBODY, -1)
    await chmod(folder, 0o555)
    const inFolder = await startByNobody(folder)
    if (inFolder === undefined) this.skip()
    assert.match(inFolder, /nothing can be created in the folder .*: the current user lacks permission/)
    await chmod(folder, 0o777)
    await writeFile(join(folder, 'agent.sqlite-wal'), '', { mode: 0o400 })
    const beside = (await startByNobody(folder)) ?? ''
    assert.match(beside, /the file .*agent\.sqlite-wal cannot be written: the current user/)
  })

  it('is refused if a symbolic link is dangling', async () => {
    await symlink(join(folder, 'gone'), join(folder, 'link'))
    assert.match(
      (await createFolder(join(folder, 'link', 'a'))) ?? '',
      /link cannot .* broken symbolic link; choose/,
    )
  })

  it('is refused if the database file is a folder', async () => {
    await mkdir(join(folder, 'agent.sqlite'))
    assert.match(
      await refused({ url: null, dataDirectory: folder }, 'dataDirectory'),
      /agent\.sqlite is a folder, not a file; move it away/,
    )
  })
})
