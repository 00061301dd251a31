import assert from 'node:assert/strict'
import { ConfigurationFolder, places } from './support/configuration-folder.js'

// An object of another package, with its own copy of zod.
const PICKY = `
import { createRequire } from 'node:module'
export class Located {
  constructor() {
    throw Object.assign(new Error('port: is wrong (and 3 more)'), {
      name: 'AgentError', code: 'invalid_configuration', details: [
        { path: 'port', message: 'expected a number' },
        { path: 'list[1].name', message: 'expected text' },
        { path: 'missing', message: 'is required' },
        { path: 'inner', message: 'Unrecognized keys: "prot", "hots"' },
        { path: '', message: 'host and socket are mutually exclusive' },
      ] })
  }
}
export class Needing {
  constructor(options) {
    const details = []
    if (typeof options.events.begin !== 'function') details.push({ path: 'events', message: 'must have begin' })
    for (const [n, ledger] of options.ledgers.entries()) {
      if (ledger.kind !== 'embedded') details.push({ path: 'ledgers[' + n + '].kind', message: 'unknown kind' })
    }
    if ('prot' in options) details.push({ path: '', message: '"prot" is not known here: did you mean "port"?' })
    if ('port' in options) details.push({ path: 'port', message: 'expected a text, is ' + options.port })
    if (details.length > 0)
      throw Object.assign(new Error('x'), { name: 'AgentError', code: 'invalid_configuration', details })
  }
}
export class Behind {
  constructor(database, options) {
    if (typeof database.query !== 'function') throw new TypeError('no database')
    new Needing({ ledgers: [], events: { begin() {} }, ...options })
  }
}
export class Plain {
  constructor() {
    throw Object.assign(new Error('nothing fits'), { name: 'AgentError', code: 'invalid_configuration', details: [] })
  }
}
export class Foreign {
  constructor() {
    throw Object.assign(new Error('[...]'), { name: 'ZodError', issues: [
      { code: 'invalid_type', path: ['list', 1, 'name'], message: 'Expected string' },
      { code: 'unrecognized_keys', path: ['inner'], keys: ['prot'], message: 'Unrecognized key' },
    ] })
  }
}
export class Telling { constructor({ secret }) { throw new TypeError('cannot use ' + secret + '\\n  at all') } }
export class Listening { constructor({ host, url }) { throw new TypeError('no ' + host + ', no ' + url) } }
export class Store {}
export class Odd { constructor() { throw 'a text' } }
`
const SECTIONS = (name: string) => `a:
  $require: './picky.mjs#${name}'
  $args:
    - port: "33x2"
      list: [{ name: x }, { name: 5 }]
      inner: { prot: 1, hots: 2 }
`

describe('an error thrown while building an object', () => {
  let folder: ConfigurationFolder
  before(async () => {
    folder = await ConfigurationFolder.create({ 'picky.mjs': PICKY })
  })
  after(() => folder.remove())

  it('is located at the option that it complains about', async () => {
    const error = await folder.fail(SECTIONS('Located'), '/a')
    assert.deepEqual(places(error), [
      '5:7 a.$args[0].missing: is required',
      '5:7 a.$args[0]: host and socket are mutually exclusive',
      '5:13 a.$args[0].port: expected a number',
      '6:35 a.$args[0].list[1].name: expected text',
      '7:16 a.$args[0].inner: "prot" is not known here',
      '7:25 a.$args[0].inner: "hots" is not known here',
    ])
    assert.ok(error.problems.every(({ advice }) => advice === 'this is what "./picky.mjs#Located" expects'))
  })

  it('is located even if a dependency of the object failed to build', async () => {
    const sections = `a:
  $require: './picky.mjs#Needing'
  $args: [{ ledgers: [{ $ref: /b }], events: { $ref: /b }, prot: 1 }]
b:
  $require: './picky.mjs#Plain'
c:
  $require: './picky.mjs#Needing'
  $args: [{ ledgers: [], events: { $ref: /a }, port: 1 }]
`
    const error = await folder.fail(sections, '/c')
    assert.deepEqual(places(error), [
      '4:60 a.$args[0]: "prot" is not known here: did you mean "port"?',
      '6:13 b: nothing fits',
      '9:54 c.$args[0].port: expected a text, is 1',
    ])
  })

  it('is located even behind an object that failed to build', async () => {
    const sections = `a:
  $require: './picky.mjs#Plain'
b:
  $require: './picky.mjs#Behind'
  $args:
    - { $ref: /a }
    - { port: 1, prot: 2 }
c:
  $require: './picky.mjs#Behind'
  $args: [{ $ref: /a }, { $ref: /b }]
d: [{ $ref: /b }, { $ref: /c }]
`
    assert.deepEqual(places(await folder.fail(sections, '/d')), [
      '3:13 a: nothing fits',
      '8:15 b.$args[1].port: expected a text, is 1',
      '8:18 b.$args[1]: "prot" is not known here: did you mean "port"?',
    ])
  })

  it('is located if it is a zod error', async () => {
    assert.deepEqual(places(await folder.fail(SECTIONS('Foreign'), '/a')), [
      '6:35 a.$args[0].list[1].name: Expected string',
      '7:16 a.$args[0].inner: "prot" is not known here',
    ])
  })

  it('is located in the options rather than in neighbouring dependencies', async () => {
    const behind = await folder.fail(
      `options: { port: "33x2" }
a:
  $require: './picky.mjs#Located'
  $args:
    - $require: './picky.mjs#Store'
      $args: [{ port: 1 }]
    - { $ref: /options }
`,
      '/a',
    )
    assert.ok(places(behind).includes('2:18 a.$args[1].port: expected a number'), places(behind).join())
    const inPlace = await folder.fail(
      `a:
  $require: './picky.mjs#Foreign'
  $args: [{ $require: './picky.mjs#Store' }, { list: [{}, { name: 5 }], inner: { prot: 1 } }]
`,
      '/a',
    )
    assert.deepEqual(places(inPlace), [
      '4:67 a.$args[1].list[1].name: Expected string',
      '4:82 a.$args[1].inner: "prot" is not known here',
    ])
  })

  it('is located at the $require if nothing more precise is known', async () => {
    assert.deepEqual(places(await folder.fail(SECTIONS('Plain'), '/a')), ['3:13 a: nothing fits'])
    assert.deepEqual(places(await folder.fail('a: { $require: "./picky.mjs#Located" }', '/a')).slice(0, 2), [
      '2:16 a: expected a number',
      '2:16 a: expected text',
    ])
    assert.deepEqual(places(await folder.fail('a: { $require: "./picky.mjs#Odd" }', '/a')), [
      '2:16 a: "./picky.mjs#Odd" could not be built: a text',
    ])
  })

  it('reports where it was thrown, without the value of a variable', async () => {
    const sections = 'a: { $require: "./picky.mjs#Telling", $args: [{ secret: { $env: KEY } }] }'
    const error = await folder.fail(sections, '/a', { environment: { KEY: 'correct-horse' } })
    assert.deepEqual(places(error), [
      '2:16 a: "./picky.mjs#Telling" could not be built: cannot use *** at all',
    ])
    assert.match(error.problems[0]?.advice ?? '', /^thrown at new Telling .*picky\.mjs:\d+:\d+/)
    assert.doesNotMatch(JSON.stringify(error.problems) + String(error.stack), /correct-horse/)
  })

  it('omits the value of a variable that is used as a secret, whatever its name', async () => {
    const telling = (name: string) =>
      `a: { $require: "./picky.mjs#Telling", $args: [{ secret: { $ref: /b } }] }\nb: { $env: ${name} }`
    const multiLine = 'first-line-of-it\n  second-line-of-it'
    for (const [value, hidden] of [
      ['correct-horse', /correct-horse/],
      [multiLine, /first-line|second-line/],
      [`${'x'.repeat(480)}${'s'.repeat(60)}`, /xxx/],
    ] as const) {
      const error = await folder.fail(telling('HARMLESS'), '/a', { environment: { HARMLESS: value } })
      assert.doesNotMatch(JSON.stringify(error.problems) + String(error.stack), hidden)
    }
  })

  it('includes the values of variables that are not secret', async () => {
    const sections =
      'a: { $require: "./picky.mjs#Listening", $args: [{ host: { $env: HOST }, url: { $env: URL } }] }'
    const environment = { HOST: 'foo.invalid', URL: 'postgres://me:hunter22@db.example/x' }
    assert.deepEqual(places(await folder.fail(sections, '/a', { environment })), [
      '2:16 a: "./picky.mjs#Listening" could not be built: no foo.invalid, no postgres://me:***@db.example/x',
    ])
  })

  it('names the variable that holds a wrong value', async () => {
    const sections = 'a: { $require: "./picky.mjs#Located", $args: [{ port: { $env: PORT } }] }'
    const error = await folder.fail(sections, '/a', { environment: { PORT: '33x2' } })
    const problem = error.problems.find(({ path }) => path === 'a.$args[0].port')
    assert.match(problem?.advice ?? '', /; its value comes from the environment variable PORT$/)
    assert.doesNotMatch(error.message, /33x2/)
  })

  it('omits literals that look secret', async () => {
    const inline = 'a: { $require: "./picky.mjs#Telling", $args: [{ port: 1, secret: hunter22 }] }'
    const referred =
      'a: { $require: "./picky.mjs#Telling", $args: [{ secret: { $ref: /k/value } }] }\nk: { value: hunter22, x: { $ref: /no } }'
    assert.doesNotMatch((await folder.fail(inline, '/a')).message, /hunter22/)
    assert.match((await folder.fail(inline, '/a')).message, /secret: \*\*\* }/)
    assert.doesNotMatch(
      (await folder.fail(`${referred}\nb: [{ $ref: /a }, { $ref: /k/x }]`, '/b')).message,
      /hunter22/,
    )
    assert.doesNotMatch((await folder.fail(referred, '/a')).message, /hunter22/)
  })
})
