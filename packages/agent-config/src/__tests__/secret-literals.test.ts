import assert from 'node:assert/strict'
import { parseConfiguration } from '../document.js'

/** The visible part of a line. */
function shown(text: string, line: number): string {
  const { source } = parseConfiguration('/etc/agent.yml', `version: 3\n${text}`)
  const at = source.lineCounter.lineStarts[line - 1] ?? 0
  const excerpt = source.problem({ at, path: '', message: '' }).excerpt ?? ''
  return excerpt.split('\n')[0]?.replace(/^ *\d+ \| /, '') ?? ''
}

describe('literals under keys that look secret', () => {
  const cases: [string, string][] = [
    ['{ apiKey: test123, port: 1 }', '{ apiKey: ***, port: 1 }'],
    ['{ tokens: [a, "b"], port: 1 }', '{ tokens: [***, ***], port: 1 }'],
    ['{ secrets: { x: a }, port: 1 }', '{ secrets: { x: *** }, port: 1 }'],
    ['{ pin: 1, password: 1234 }', '{ pin: 1, password: *** }'],
    ['{ secret: { $env: KEY, $default: abc } }', '{ secret: { $env: KEY, $default: *** } }'],
    [
      `{ secret: { $require: 'm#Box', $args: [abc, { directory: d, apiKey: k }] } }`,
      `{ secret: { $require: 'm#Box', $args: [***, { directory: d, apiKey: *** }] } }`,
    ],
    [
      `{ secret: { $require: 'm#Box', $args: [{ $env: BOX, $default: abc }] } }`,
      `{ secret: { $require: 'm#Box', $args: [{ $env: BOX, $default: *** }] } }`,
    ],
    ['{ maxCredentials: many }', '{ maxCredentials: many }'],
    ['{ secret: , port: 1 }', '{ secret: , port: 1 }'],
  ]
  for (const [text, expected] of cases) {
    it(`are hidden: ${text}`, () => assert.equal(shown(`a: ${text}`, 2), `a: ${expected}`))
  }

  it('are hidden when reached through a reference or an alias', () => {
    const text = 'k: { a: abc, b: &b def, c: ghi }\nx: { secret: { $ref: /k/a }, token: *b }'
    assert.equal(shown(text, 2), 'k: { a: ***, b: &b ***, c: ghi }')
  })

  it('are found without looping on a circular reference', () => {
    assert.equal(shown('secret: &a [x, *a]\nb: { token: { $ref: /b } }', 2), 'secret: &a [***, *a]')
  })

  it('do not include variables, whose names are collected instead', () => {
    const text = `a: { secret: { $ref: /b }, port: { $env: PORT }, box: { token: { $require: 'm#B', $args: [{ $env: C }] } } }
b: { $env: A, $default: { $env: B } }`
    const { secretVariables } = parseConfiguration('/etc/agent.yml', `version: 3\n${text}`)
    assert.deepEqual([...secretVariables].sort(), ['A', 'B', 'C'])
  })
})
