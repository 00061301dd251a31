import assert from 'node:assert/strict'
import { commandHere } from '../../../../test/support/command-here.js'
import { beginVidimus } from '../../../../test/support/vidimus-process.js'

describe('exit code of the command line', () => {
  const run = async (args: readonly string[]) => commandHere(args, process.env)

  it('is that of its process', async () => {
    const { PATH } = process.env
    for (const [args, expected] of [
      [['begin'], 2],
      [['--version'], 0],
    ] as const) {
      const { code, complained } = await beginVidimus(args, { PATH }).closed
      assert.equal(code, expected, complained)
    }
  })

  const mistakes: [string[], RegExp][] = [
    [['begin'], /unknown command 'begin'/],
    [['start', 'now'], /too many arguments/],
    [['start', '--prot', '1'], /unknown option '--prot'/],
    [['key', 'creat'], /unknown command 'creat'/],
    [['key', 'create'], /required option '--account <name>' not specified/],
    [['account', 'create', '-x'], /unknown option '-x'/],
    [['account', 'create'], /missing required argument 'name'/],
    [['secret', 'rotat'], /unknown command 'rotat'/],
    [['secret', 'rotate', '--batch', '0'], /whole number from 1 to 10000/],
    [['plugins', '--jsn'], /unknown option '--jsn'/],
    [['key', 'create', '--account', 'a', '--expires', '2027-02-31'], /2027-02-31 does not exist/],
    [['key', 'create', '--account', 'a', '--scope', 'all'], /Unknown: all. Groups: read/],
    [['key', 'create', '--account', 'a', '--network', 'devnet'], /Unknown: devnet. Expected one of: testnet/],
    [['key', 'rotate'], /missing required argument 'id'/],
    [['key', 'rotate', 'x', '--overlap', '24'], /whole number with a unit/],
    [['audit', '--limit', '0'], /whole number, 1 or greater/],
    [['audit', '--since', 'yesterday'], /ISO 8601/],
  ]
  for (const [args, message] of mistakes) {
    it(`is 2 for the wrong call: vidimus ${args.join(' ')}`, async () => {
      const { code, complained } = await run(args)
      assert.equal(code, 2)
      assert.match(complained, message)
      assert.match(complained, /\(see vidimus --help\)/)
    })
  }

  it('is 2 for several errors, all of which are reported', async () => {
    const bad = [
      '--jsn',
      '--expires',
      '2027-02-31',
      '--scope',
      'read,all',
      '--network',
      'devnet',
      '--cofnig=a.yml',
    ]
    const { code, complained } = await run(['key', 'create', ...bad])
    assert.equal(code, 2)
    for (const told of [
      /2027-02-31 does not exist/,
      /Unknown: all\. Groups/,
      /Unknown: devnet/,
      /required option '--account/,
      /unknown option '--jsn'\n\(Did you mean --json\?\)/,
      /unknown option '--cofnig'\n\(Did you mean --config\?\)/,
    ]) {
      assert.match(complained, told)
    }
  })

  it('is 2 for missing option values and arguments, along with unknown options', async () => {
    const { code, complained } = await run(['key', 'rotate', '--foo', '--overlap'])
    assert.equal(code, 2)
    assert.deepEqual(complained.split('\n').slice(0, 3), [
      "error: option '--overlap <time>' argument missing",
      "error: unknown option '--foo'",
      "error: missing required argument 'id'",
    ])
    const instead = await run(['key', 'rotate', '--foo', 'bar'])
    assert.match(instead.complained, /^error: unknown option '--foo'\n\(see vidimus/)
  })

  it('is 0 for help and the version', async () => {
    for (const args of [
      ['--help'],
      ['--version'],
      ['key', '--help'],
      ['account', 'create', '--foo', '--help'],
    ]) {
      const { code, complained } = await run(args)
      assert.deepEqual([code, complained], [0, ''])
    }
  })
})
