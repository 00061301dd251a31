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

describe('passphrase of an archive', () => {
  it('is prompted for on a terminal without being shown', async () => {
    const asked = terminal('a good one, äöü\r', 'a good one, äöü\r')
    assert.equal(await readPassphrase({ repeated: true }, asked), 'a good one, äöü')
    assert.deepEqual(asked.shown, ['Passphrase: ', '\n', 'Repeat it: ', '\n'])
  })

  it('is prompted for only once when it opens an existing archive', async () => {
    assert.equal(await readPassphrase({ repeated: false }, terminal('typed once\r')), 'typed once')
  })

  it('is refused if the two entries differ, it is empty or the prompt is cancelled', async () => {
    await assert.rejects(readPassphrase({ repeated: true }, terminal('one\r', 'other\r')), /do not match/)
    await assert.rejects(readPassphrase({ repeated: false }, terminal('\r')), /is empty/)
    await assert.rejects(
      readPassphrase({ repeated: false }, terminal('half\u0003')),
      /no passphrase was given/,
    )
    await assert.rejects(readPassphrase({ repeated: false }, terminal('\u0004')), /no passphrase was given/)
  })

  it('is the first line of a file or of standard input', async () => {
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
