import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
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
    ['no database', { database: undefined }, 'database'],
    ['something else as node', { rpc: 'rpc.example' }, 'rpc'],
    ['no node', { rpc: [] }, 'rpc'],
    ['another scheme', { rpc: ['https://a.example', 'ftp://b.example'] }, 'rpc'],
    ['an amount that is none', { maxFee: '5 CHEQ' }, 'maxFee'],
    ['a number out of range', { outbox: { maxInFlight: 0 } }, 'outbox.maxInFlight'],
    ['members that it does not know', { mnemonic: WORDS }, ''],
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

  it('asks for its tables', () => {
    const bare = new Database({ url: `sqlite:${join(folder, 'b.sqlite')}`, migrations: [] })
    assert.throws(
      () => make({ database: bare }),
      /add \{ \$require: '@vidimus\/ledger-cheqd\?t=object#migrations' \}/,
    )
  })

  it('shows no secret to whoever looks at it', () => {
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
