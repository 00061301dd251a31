import assert from 'node:assert/strict'
import { referenceName, parseRequire } from '../require-reference.js'

describe('text of a $require', () => {
  const examples: [string, object][] = [
    ['@veramo/core#Agent', { module: '@veramo/core', type: 'class', pointer: [], member: 'Agent' }],
    ['typeorm', { module: 'typeorm', type: 'class', pointer: [] }],
    ['./m.js?t=object#default', { module: './m.js', type: 'object', pointer: [], member: 'default' }],
    [
      'web-did-resolver?t=function&p=/web#getResolver',
      { module: 'web-did-resolver', type: 'function', pointer: ['web'], member: 'getResolver' },
    ],
    ['x?p=/a~1b/0', { module: 'x', type: 'class', pointer: ['a/b', '0'] }],
    ['x?p=%2Fa', { module: 'x', type: 'class', pointer: ['a'] }],
    ['node:path?t=object', { module: 'node:path', type: 'object', pointer: [] }],
    ['../up/x.js#y', { module: '../up/x.js', type: 'class', pointer: [], member: 'y' }],
    ['/with space/x.js#y', { module: '/with space/x.js', type: 'class', pointer: [], member: 'y' }],
  ]
  for (const [text, reference] of examples) {
    it(`is read: ${text}`, () => assert.deepEqual(parseRequire(text), { reference }))
  }

  const mistakes: [string, RegExp[]][] = [
    ['x?t=klass#y', [/t=klass/]],
    ['x?p=web#y', [/p=web is not a JSON pointer/]],
    ['x?q=1&t=no', [/parameter "q"/, /t=no/]],
    ['#y', [/has no module/]],
    ['x#', [/no export after/]],
    ['x#y?t=object', [/has "\?" after "#"/]],
  ]
  for (const [text, expected] of mistakes) {
    it(`is refused: ${text}`, () => {
      const parsed = parseRequire(text)
      assert.ok('mistakes' in parsed)
      assert.equal(parsed.mistakes.length, expected.length)
      parsed.mistakes.forEach(({ message }, n) => assert.match(message, expected[n] ?? /$^/))
    })
  }

  it('lists the supported types', () => {
    const parsed = parseRequire('x?t=clas')
    assert.ok('mistakes' in parsed)
    assert.equal(parsed.mistakes[0]?.advice, 'did you mean "class"? possible: class, function, object')
  })

  it('has a name for messages', () => {
    assert.equal(referenceName({ module: 'x', member: 'y', type: 'class', pointer: [] }), 'x#y')
    assert.equal(referenceName({ module: 'x', type: 'class', pointer: [] }), 'x')
  })
})
