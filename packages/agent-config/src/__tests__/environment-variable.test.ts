import assert from 'node:assert/strict'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { readVariable, type VariableReading } from '../environment-variable.js'
import { ConfigurationFolder, places } from './support/configuration-folder.js'

describe('a variable read from a file', () => {
  let folder: ConfigurationFolder
  before(async () => {
    folder = await ConfigurationFolder.create()
  })
  after(() => folder.remove())

  const valueOf = (reading: VariableReading) => (reading.kind === 'set' ? reading.value : undefined)

  it('is the text of the file without trailing line breaks', async () => {
    const file = join(folder.path, 'value')
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((some) => !/^\uFEFF|[\r\n]$/.test(some))
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('', '\n', '\r\n', '\n\n'), async (value, end) => {
        await writeFile(file, `${value}${end}`)
        assert.equal(valueOf(readVariable({ NAME_FILE: file }, 'NAME')), value)
      }),
    )
  })

  it('keeps white space and line breaks inside the text', async () => {
    const file = await folder.write('lines', ' a \n b \n')
    assert.equal(valueOf(readVariable({ NAME_FILE: file }, 'NAME')), ' a \n b ')
  })

  it('is read through a symbolic link, as used for mounted secrets in clusters', async () => {
    await folder.write('..data/key', 'mounted\n')
    await symlink(join('..data', 'key'), join(folder.path, 'key'))
    assert.equal(valueOf(readVariable({ NAME_FILE: join(folder.path, 'key') }, 'NAME')), 'mounted')
  })

  it('takes precedence over an empty or unset variable and over the default', async () => {
    const file = await folder.write('value', 'from the file\n')
    const sections = 'a: { $env: NAME, $default: by default }'
    for (const NAME of [undefined, '']) {
      const environment = { NAME, NAME_FILE: file }
      assert.equal(await folder.build(sections, '/a', { environment }), 'from the file')
      assert.equal(await folder.build('a: { $env: NAME }', '/a', { environment }), 'from the file')
    }
    const environment = { NAME_FILE: '' }
    assert.equal(await folder.build(sections, '/a', { environment }), 'by default')
    assert.equal(await folder.build(sections, '/a', { environment: { NAME: 'x', NAME_FILE: '' } }), 'x')
  })

  it('can itself be used like any other variable', async () => {
    const environment = { LOG_FILE: '/var/log/x' }
    assert.equal(await folder.build('a: { $env: LOG_FILE }', '/a', { environment }), '/var/log/x')
  })

  it('is not found through inherited properties', () => {
    const environment = Object.create({ NAME_FILE: '/etc/hostname' }) as Record<string, string>
    assert.deepEqual(readVariable(environment, 'NAME'), { kind: 'unset' })
  })

  it('never falls back to a default if the file cannot be used', async () => {
    const at = (name: string) => join(folder.path, name)
    await mkdir(at('folder'))
    await writeFile(at('binary'), Buffer.from([0xff, 0xfe, 0x00]))
    await writeFile(at('large'), 'x'.repeat(65_537))
    await writeFile(at('empty'), '\n')
    const cases: [string, RegExp][] = [
      ['missing', /missing, named by the environment variable NAME_FILE, does not exist$/],
      ['empty/below', /does not exist$/],
      ['folder', /is a folder$/],
      ['binary', /is not UTF-8 text$/],
      ['large', /is larger than 65536 bytes$/],
      ['empty', /is empty$/],
    ]
    for (const [name, expected] of cases) {
      const environment = { NAME_FILE: at(name) }
      const error = await folder.fail('a: { $env: NAME, $default: x }', '/a', { environment })
      assert.match(places(error)[0] ?? '', expected)
      assert.match(error.message, /agent\.yml:2:12/)
    }
    const device = readVariable({ NAME_FILE: '/dev/zero' }, 'NAME')
    assert.match(device.kind === 'unusable' ? device.message : '', /is not a regular file$/)
  })

  it('must be readable', async function () {
    if (process.getuid?.() === 0) this.skip()
    const file = await folder.write('hidden', 'hidden')
    await chmod(file, 0o000)
    const reading = readVariable({ NAME_FILE: file }, 'NAME')
    assert.match(reading.kind === 'unusable' ? reading.message : '', /cannot be read by the current user/)
  })

  it('cannot be combined with the variable itself', async () => {
    const environment = { NAME: 'first-value', NAME_FILE: await folder.write('value', 'second-value') }
    const error = await folder.fail('a: { $env: NAME, $default: x }', '/a', { environment })
    assert.deepEqual(places(error), [
      '2:12 a: the environment variables NAME and NAME_FILE are mutually exclusive',
    ])
    assert.doesNotMatch(error.message, /(first|second)-value/)
  })

  it('is named in errors, but its value never is', async () => {
    await folder.write(
      'strict.mjs',
      `export class Strict { constructor({ name }) { throw Object.assign(new Error(), { name: 'ZodError',
        issues: [{ path: ['name'], message: 'not ' + name }] }) } }`,
    )
    const environment = { PLAIN_FILE: await folder.write('value', 'correct-horse\n') }
    const sections = 'a: { $require: "./strict.mjs#Strict", $args: [{ name: { $env: PLAIN } }] }'
    const error = await folder.fail(sections, '/a', { environment })
    assert.match(error.message, /not \*\*\*/)
    assert.match(error.message, /its value comes from the file .*value, named by the .* PLAIN_FILE$/m)
    assert.doesNotMatch(error.message + String(error.stack), /correct-horse/)
  })
})
