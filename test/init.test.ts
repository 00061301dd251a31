import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'

const VIDIMUS = resolve(import.meta.dirname, '../packages/cli/bin/vidimus.js')
/** Gives a program a terminal, from util-linux. */
const SCRIPT = '/usr/bin/script'

describe('vidimus init', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-init-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const run = async (command: string, args: readonly string[], input = '') => {
    const child = spawn(command, args, { cwd: folder, stdio: 'pipe' })
    child.stdin.end(input)
    const [printed, complained] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ])
    return { code: child.exitCode, printed, complained }
  }
  const init = (...args: string[]) => run(process.execPath, [VIDIMUS, 'init', ...args])
  const written = (file = 'agent.yml') => readFile(join(folder, file), 'utf8')
  const standard = () => readFile(resolve(import.meta.dirname, '../agent.yml'), 'utf8')

  it('writes the standard configuration without a terminal, and prints the next steps', async () => {
    const { code, printed } = await init()
    assert.equal(code, 0)
    assert.equal(await written(), await standard())
    assert.match(printed, /^Wrote agent\.yml\.\n\nNext:\n\n {4}npx vidimus doctor\n {4}npx vidimus start\n/)
  })

  it('writes the selected configuration and names the required variables', async () => {
    const { code, printed } = await init('--database', 'postgres', '--cheqd', 'testnet', '-c', 'other.yml')
    assert.equal(code, 0)
    const configuration = await written('other.yml')
    assert.match(configuration, /url: \{ \$env: DATABASE_URL \}/)
    assert.match(configuration, /ledger-cheqd#CheqdLedger'\n {4}\$args:\n {6}- network: testnet/)
    assert.deepEqual(
      [...printed.matchAll(/export (\w+)=/g)].map(([, name]) => name),
      ['DATABASE_URL', 'CHEQD_TESTNET_RPC', 'CHEQD_TESTNET_MNEMONIC'],
    )
    assert.match(printed, /npx vidimus start --config other\.yml/)
  })

  it('does not overwrite an existing file unless told to', async () => {
    await writeFile(join(folder, 'agent.yml'), 'mine')
    const refused = await init()
    assert.equal(refused.code, 2)
    assert.equal(refused.complained, 'vidimus: agent.yml already exists; --force overwrites it\n')
    assert.equal(await written(), 'mine')
    assert.equal((await init('--force')).code, 0)
    assert.equal(await written(), await standard())
  })

  it('reports unknown values, and writes nothing', async () => {
    for (const args of [
      ['--database', 'oracle'],
      ['--cheqd', 'devnet'],
    ]) {
      const { code, complained } = await init(...args)
      assert.equal(code, 2)
      assert.match(complained, /is invalid. Allowed choices are/)
    }
    assert.equal(existsSync(join(folder, 'agent.yml')), false)
    const { code, complained } = await init('-c', 'no/such/folder/agent.yml')
    assert.equal(code, 2)
    assert.match(complained, /^vidimus: the file .*no\/such\/folder\/agent\.yml cannot be written: /)
  })

  it('prompts on a terminal', async function () {
    if (!existsSync(SCRIPT)) this.skip()
    const { code, printed } = await run(
      SCRIPT,
      ['--quiet', '--return', '--command', `'${process.execPath}' '${VIDIMUS}' init`, '/dev/null'],
      'elsewhere\npostgres\nboth\nvault\ns3\n',
    )
    assert.equal(code, 0)
    assert.match(printed, /Which database\? \(sqlite, postgres\) \[sqlite\]/)
    assert.match(printed, /Please answer sqlite or postgres\./)
    assert.match(printed, /Which ledger for did:cheqd\? \(embedded, testnet, mainnet, both\) \[embedded\]/)
    assert.match(printed, /Which KMS for new keys\? \(local, pkcs11, vault\) \[local\]/)
    assert.match(printed, /Where to publish lists for others to serve\? \(none, directory, s3\) \[none\]/)
    const configuration = await written()
    assert.match(configuration, /^ *vault: \{ \$ref: \/vault \}$/m)
    assert.match(configuration, /^ *\$require: '@vidimus\/publisher-s3#S3Publisher'$/m)
    assert.equal(configuration.match(/^ {2}- .*ledger-cheqd#CheqdLedger'$/gm)?.length, 2)
    assert.match(configuration, /url: \{ \$env: DATABASE_URL \}/)
  })
})
