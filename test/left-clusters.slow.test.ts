import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { removeLeftClusters } from './support/left-clusters.js'

const SERVER = join(import.meta.dirname, 'support', 'postgres-server.ts')
const START = `
  const { PostgresServer } = await import(${JSON.stringify(SERVER)})
  const server = await PostgresServer.start()
  console.log(await server.pid())
  process.on('message', () => process.exit())
`

describe('PostgreSQL clusters of the tests', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-clusters-'))
    // The server of a test that runs as root is another user's.
    await chmod(folder, 0o755)
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** @returns the process that has one, and the number of its server */
  async function startOne() {
    const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', START], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    assert.ok(owner.stdout)
    for await (const line of createInterface({ input: owner.stdout })) {
      return { owner, server: Number(line) }
    }
    return assert.fail('it did not start')
  }

  // not the files that tsx keeps there
  const clusters = async () => (await readdir(folder)).filter((name) => name.startsWith('vidimus-'))

  it('are removed with the process that started them', async () => {
    const { owner } = await startOne()
    owner.send('end')
    await once(owner, 'exit')
    assert.deepEqual(await clusters(), [])
  })

  it('of a killed process are removed by the next one, and no others', async () => {
    const { owner, server } = await startOne()
    await mkdir(join(folder, 'vidimus-postgres-begun'))
    await removeLeftClusters(folder)
    assert.equal((await clusters()).length, 2)

    owner.kill('SIGKILL')
    await once(owner, 'exit')
    await writeFile(join(folder, 'vidimus-postgres.txt'), '')
    await removeLeftClusters(folder)
    assert.deepEqual((await clusters()).sort(), ['vidimus-postgres-begun', 'vidimus-postgres.txt'])
    assert.throws(() => process.kill(server, 0), { code: 'ESRCH' })
  })
})
