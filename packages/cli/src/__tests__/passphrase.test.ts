import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { readPassphrase, type Terminal } from '../passphrase.js'

/** A terminal at which these lines are typed, each when it is asked for. */
function terminal(...lines: string[]): Terminal & { shown: string[] } {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const shown: string[] = []
  const write = (text: string) => {
    shown.push(text)
    if (text.endsWith(': ')) setImmediate(() => input.write(lines.shift() ?? ''))
  }
  return { input, output: { write }, shown }
}

describe('the passphrase of an archive', () => {
  it('is asked for on a terminal, which does not show it', async () => {
    const asked = terminal('a good one, äöü\r', 'a good one, äöü\r')
    assert.equal(await readPassphrase({ repeated: true }, asked), 'a good one, äöü')
    assert.deepEqual(asked.shown, ['Passphrase: ', '\n', 'Repeat it: ', '\n'])
  })

  it('is asked for once where it must fit', async () => {
    assert.equal(await readPassphrase({ repeated: false }, terminal('typed once\r')), 'typed once')
  })

  it('is refused where it was typed in two ways, was not typed, or the question was ended', async () => {
    await assert.rejects(readPassphrase({ repeated: true }, terminal('one\r', 'other\r')), /do not match/)
    await assert.rejects(readPassphrase({ repeated: false }, terminal('\r')), /is empty/)
    await assert.rejects(
      readPassphrase({ repeated: false }, terminal('half\u0003')),
      /no passphrase was given/,
    )
    await assert.rejects(readPassphrase({ repeated: false }, terminal('\u0004')), /no passphrase was given/)
  })

  it('is the first line of a file, or of the standard input', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vidimus-passphrase-'))
    try {
      const file = join(folder, 'passphrase')
      await writeFile(file, ' with spaces \r\nand a comment\n')
      const none: Terminal = { input: Readable.from([]), output: { write: () => undefined } }
      assert.equal(await readPassphrase({ file, repeated: true }, none), ' with spaces ')
      const given: Terminal = { ...none, input: Readable.from(['from a pipe\n']) }
      assert.equal(await readPassphrase({ file: '-', repeated: true }, given), 'from a pipe')
      await assert.rejects(
        readPassphrase({ file: join(folder, 'no'), repeated: true }, none),
        /cannot be read/,
      )
      await assert.rejects(readPassphrase({ repeated: true }, none), /no terminal/)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
