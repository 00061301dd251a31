import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { readLog } from '@vidimus/core-types'
import { Database } from '@vidimus/database'
import { CheqdLedger, migrations } from '../index.js'

const WORDS = `${'abandon '.repeat(11)}about`

describe('CheqdLedger', () => {
  let folder: string
  let database: Database
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vidimus-cheqd-'))
    database = new Database({ url: `sqlite:${join(folder, 'a.sqlite')}`, migrations: [migrations] })
  })
  after(() => rm(folder, { recursive: true }))

  const make = (options: object = {}) =>
    new CheqdLedger({
      network: 'testnet',
      database,
      rpc: 'https://me:sekrit@rpc.example/hidden-token',
      payer: { mnemonic: WORDS },
      ...options,
    } as never)

  for (const [why, options, path] of [
    ['another network', { network: 'devnet' }, 'network'],
    ['a missing database', { database: undefined }, 'database'],
    ['something other than a node', { rpc: 'rpc.example' }, 'rpc'],
    ['missing nodes', { rpc: [] }, 'rpc'],
    ['another scheme', { rpc: ['https://a.example', 'ftp://b.example'] }, 'rpc'],
    ['http to another machine', { rpc: ['https://a.example', 'http://b.example'] }, 'rpc[1]'],
    ['http to a name that merely starts like this machine', { rpc: 'http://localhost.example' }, 'rpc[0]'],
    ['one node where two are required', { agree: 2 }, 'agree'],
    ['the same node twice', { rpc: ['https://a.example', 'https://a.example'] }, 'rpc[1]'],
    [
      'the same node in another spelling',
      { agree: 2, rpc: ['https://a.example/x', 'https://me:pw@A.example:443/x/'] },
      'rpc[1]',
    ],
    ['a malformed amount', { maxFee: '5 CHEQ' }, 'maxFee'],
    ['a number out of range', { outbox: { maxInFlight: 0 } }, 'outbox.maxInFlight'],
    ['unknown members', { mnemonic: WORDS }, ''],
  ] as const) {
    it(`refuses ${why}`, () => {
      assert.throws(
        () => make(options),
        (error: { code?: string; message: string; details?: { path: string }[] }) => {
          assert.equal(error.code, 'invalid_configuration')
          assert.ok(
            error.details?.some((problem) => problem.path.startsWith(path)),
            error.message,
          )
          assert.ok(!error.message.includes('abandon'))
          return true
        },
      )
    })
  }

  it("accepts http on this machine, and elsewhere with the operator's consent and a warning at each start", async () => {
    for (const rpc of ['http://localhost:26657', 'http://127.0.0.1:26657', 'http://[::1]:26657'])
      make({ rpc })
    const lines: string[] = []
    const stop = readLog(({ message }) => lines.push(message))
    const ledger = make({ rpc: 'http://node.cluster.example', allowHttp: true, payer: undefined })
    await ledger.lifecycle.start()
    await make({ payer: undefined }).lifecycle.start()
    stop()
    assert.equal(lines.filter((line) => line.startsWith('allowHttp')).length, 1)
  })

  it('requires its migrations', () => {
    const bare = new Database({ url: `sqlite:${join(folder, 'b.sqlite')}`, migrations: [] })
    assert.throws(
      () => make({ database: bare }),
      /add \{ \$require: '@vidimus\/ledger-cheqd\?t=object#migrations' \}/,
    )
  })

  it('shows no secret when inspected', () => {
    const ledger = make()
    const shown = inspect(ledger, { depth: 20, showHidden: true })
    for (const secret of ['abandon', 'sekrit', 'hidden-token', Buffer.from('me:sekrit').toString('base64')]) {
      assert.ok(!shown.includes(secret), secret)
    }
    assert.match(ledger.bank.payer ?? '', /^cheqd1/)
    assert.equal(ledger.local, false)
    assert.equal(ledger.kind, 'cheqd')
  })
})
