import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { computeAddress, Transaction } from 'ethers'

const root = resolve(import.meta.dirname, '..')
const TRANSACTION = {
  to: `0x${'11'.repeat(20)}`,
  value: 7,
  nonce: 3,
  gasLimit: 21_000,
  gasPrice: 1,
  chainId: 5,
}

/** Signs as a plugin would have it signed, and tells where the libraries come from. */
const PROGRAM = `
  const { useBundledLibraries } = await import('./bin/loading.js')
  useBundledLibraries()
  const { KeyManager, MemoryKeyStore, MemoryPrivateKeyStore } = await import('@veramo/key-manager')
  await import('@veramo/did-resolver')
  const { KeyManagementSystem } = await import('@veramo/kms-local')
  const kms = { local: new KeyManagementSystem(new MemoryPrivateKeyStore()) }
  const manager = new KeyManager({ store: new MemoryKeyStore(), kms })
  const { kid, publicKeyHex } = await manager.keyManagerCreate({ kms: 'local', type: 'Secp256k1' })
  const signed = await manager.keyManagerSignEthTX({ kid, transaction: ${JSON.stringify(TRANSACTION)} })
  console.log(JSON.stringify({ publicKeyHex, signed, from: import.meta.resolve('@veramo/utils') }))`

describe('bundled libraries', () => {
  let home: string
  before(async function () {
    if (!('registerHooks' in module)) return this.skip()
    home = await mkdtemp(join(tmpdir(), 'vidimus-libraries-'))
    for (const folder of ['bin', 'build/libraries'])
      await cp(join(root, 'packages/cli', folder), join(home, folder), { recursive: true })
    await symlink(join(root, 'node_modules'), join(home, 'node_modules'))
    await writeFile(join(home, 'package.json'), '{"type":"module"}')
    await writeFile(join(home, 'sign.js'), PROGRAM)
  })
  after(() => home && rm(home, { recursive: true }))

  const run = async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(home, 'sign.js')], {
      cwd: home,
    })
    assert.equal(stderr, '', 'no warning of Node.js')
    return JSON.parse(stdout) as { publicKeyHex: string; signed: string; from: string }
  }

  it('sign Ethereum transactions', async () => {
    const { publicKeyHex, signed, from } = await run()
    const { from: signer, to, value, nonce } = Transaction.from(signed)
    assert.equal(signer, computeAddress(`0x${publicKeyHex}`))
    assert.deepEqual({ to, value, nonce }, { to: TRANSACTION.to, value: 7n, nonce: 3 })
    assert.match(from, /build\/libraries\/veramo-utils\.js$/)
  })

  it('give way to the originals if another version of one within is installed', async () => {
    const file = join(home, 'build/libraries/libraries.json')
    const { files, versions } = JSON.parse(await readFile(file, 'utf8')) as {
      files: object
      versions: object
    }
    await writeFile(file, JSON.stringify({ files, versions: { ...versions, ethers: '0.0.0' } }))
    const { publicKeyHex, signed, from } = await run()
    assert.equal(Transaction.from(signed).from, computeAddress(`0x${publicKeyHex}`))
    assert.match(from, /node_modules\/@veramo\/utils\//)
  })
})
