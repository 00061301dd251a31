import assert from 'node:assert/strict'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { fileLabel, SourceText } from '../source-text.js'

const textOf = (text: string) => {
  const source = new SourceText('/etc/agent.yml', text)
  parseDocument(text, { lineCounter: source.lineCounter })
  return source
}
const finding = { path: 'a', message: 'is wrong' }

describe('positions in a file', () => {
  it('are reported as line and column, with the line and a caret below', () => {
    const text = 'version: 3\nport: "33x2"\n'
    assert.deepEqual(textOf(text).problem({ ...finding, at: text.indexOf('"33x2"') }), {
      file: '/etc/agent.yml',
      line: 2,
      column: 7,
      path: 'a',
      message: 'is wrong',
      excerpt: '    2 | port: "33x2"\n      |       ^',
    })
  })

  it('keep the caret in place after tabs and in files with Windows line endings', () => {
    const text = 'a:\r\n  - "\tx": y\r\n'
    const { excerpt } = textOf(text).problem({ ...finding, at: text.indexOf('y') })
    assert.equal(excerpt, '    2 |   - "\tx": y\n      |      \t    ^')
  })

  it('exist at the end of the text and in an empty text', () => {
    assert.equal(textOf('a: 1\n').problem({ ...finding, at: 5 }).line, 2)
    assert.deepEqual(textOf('').problem({ ...finding, at: 0 }).column, 1)
  })

  it('hide secrets on each of their lines', () => {
    const text = 'pem: |\n  first line\n  second line\nport: 1\n'
    const source = textOf(text)
    source.hide({ start: text.indexOf('|'), end: text.indexOf('port') })
    const excerpts = [0, text.indexOf('first'), text.indexOf('second')].map(
      (at) => source.problem({ ...finding, at }).excerpt,
    )
    assert.deepEqual(excerpts, [
      '    1 | pem: ***\n      | ^',
      '    2 |   ***\n      |   ^',
      '    3 |   ***\n      |   ^',
    ])
  })

  it('use the file name that the operator knows', () => {
    assert.equal(fileLabel(join(process.cwd(), 'conf', 'agent.yml')), join('conf', 'agent.yml'))
    assert.equal(fileLabel('/etc/agent.yml'), '/etc/agent.yml')
  })
})
