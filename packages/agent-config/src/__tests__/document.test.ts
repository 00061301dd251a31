import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfiguration } from '../index.js'
import { parseConfiguration } from '../document.js'
import { ConfigurationFolder, configurationError, places } from './support/configuration-folder.js'

const mistakes = async (text: string) =>
  places(await configurationError(Promise.resolve().then(() => parseConfiguration('/etc/agent.yml', text))))

describe('reading a configuration file', () => {
  for (const version of ['3', '3.0', '"3"', "'3'"]) {
    it(`accepts version ${version}`, () => {
      assert.equal(parseConfiguration('/etc/agent.yml', `version: ${version}\n`).root.kind, 'map')
    })
  }

  it('refuses other versions and a missing one', async () => {
    assert.deepEqual(await mistakes('version: 2\n'), ['1:10 version: expected version 3, got version 2'])
    assert.deepEqual(await mistakes('version: true\n'), [
      '1:10 version: expected version 3, got version true',
    ])
    assert.deepEqual(await mistakes('version: [3]\n'), ['1:10 version: expected version 3, got a list'])
    assert.deepEqual(await mistakes('agent: {}\n'), ['1:1 version: is missing'])
    assert.deepEqual(await mistakes(''), ['1:1 : the file is empty'])
    assert.deepEqual(await mistakes('- version: 3'), ['1:1 : expected a map of sections'])
  })

  it('reports all syntax errors', async () => {
    assert.deepEqual(await mistakes('version: 3\na: @x\nb: `y\nc: [1, 2\n'), [
      '2:4 : Plain value cannot start with reserved character @',
      '3:4 : Plain value cannot start with reserved character `',
      '5:1 : Flow sequence in block collection must be sufficiently indented and end with a ]',
    ])
  })

  it('reports where a quote was opened', async () => {
    assert.deepEqual(await mistakes('version: 3\na: "x\nb: 1\n'), ['2:4 : this quote is never closed'])
  })

  it('refuses duplicate keys, including text and number spellings of the same key', async () => {
    assert.deepEqual(await mistakes('version: 3\na:\n  port: 1\n  port: 2\n1: x\n"1": y\n'), [
      '4:3 : the key "port" is already in this map',
      '6:1 : the key "1" is already in this map',
    ])
  })

  it('refuses ambiguous YAML', async () => {
    assert.deepEqual(
      await mistakes('version: 3\nn: 12345678901234567890\n<<: {b: 1}\n? [a]\n: 1\nt: !foo 1\nr: *nowhere\n'),
      [
        '2:4 n: this number has more digits than can be represented',
        '3:1 : merge keys ("<<") are not supported',
        '4:3 : a key must be text',
        '6:4 : Unresolved tag: !foo',
        '7:4 r: there is no anchor "&nowhere" before this alias',
      ],
    )
    assert.deepEqual(await mistakes('version: 3\n---\na: 1\n'), ['2:1 : the file holds a second document'])
  })

  it('hides secrets of a file that is not YAML', async () => {
    const error = await configurationError(
      Promise.resolve().then(() =>
        parseConfiguration('/etc/agent.yml', 'version: 3\napiKey: abc: def\nx: @\n'),
      ),
    )
    assert.doesNotMatch(error.message, /abc|def/)
    assert.match(error.message, /apiKey: \*\*\*/)
  })

  describe('from the disk', () => {
    let folder: ConfigurationFolder
    before(async () => {
      folder = await ConfigurationFolder.create()
    })
    after(() => folder.remove())

    it('reports a missing file', async () => {
      const file = join(folder.path, 'none.yml')
      assert.equal(
        (await configurationError(loadConfiguration(file))).message,
        `${file}  the file does not exist`,
      )
    })

    it('reports a directory', async () => {
      const file = join(folder.path, 'directory.yml')
      await mkdir(file)
      assert.match((await configurationError(loadConfiguration(file))).message, /this is a directory/)
    })

    it('reports a file that is not text', async () => {
      const file = join(folder.path, 'latin1.yml')
      await (await import('node:fs/promises')).writeFile(file, Buffer.from('version: 3 # \xe9', 'latin1'))
      assert.match((await configurationError(loadConfiguration(file))).message, /not UTF-8/)
    })

    it('accepts a file with a byte order mark', async () => {
      const file = await folder.write('bom.yml', '\ufeffversion: 3\na: 1\n')
      assert.deepEqual(await (await loadConfiguration(file)).build('/a'), [1])
    })
  })
})
