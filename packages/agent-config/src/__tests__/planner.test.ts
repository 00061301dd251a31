import assert from 'node:assert/strict'
import { loadConfiguration } from '../index.js'
import { ConfigurationFolder, places } from './support/configuration-folder.js'

describe('grammar errors', () => {
  let folder: ConfigurationFolder
  before(async () => {
    folder = await ConfigurationFolder.create()
  })
  after(() => folder.remove())

  const cases: [string, string, string[]][] = [
    ['an unknown $key', 'a: { $reff: /b }', ['2:6 a: "$reff" is not a keyword']],
    [
      'siblings of $ref',
      'a: { $ref: /b, store: 1, kms: 2 }\nb: 1',
      ['2:16 a: "store", "kms" cannot be combined with $ref, which replaces the whole map'],
    ],
    [
      'siblings of $require',
      'a: { $require: "./objects.mjs#Empty", args: [] }',
      ['2:39 a: "args" cannot be combined with $require, which replaces the whole map'],
    ],
    [
      'siblings of $env',
      'a: { $env: HOME, default: x }',
      [
        '2:12 a: the environment variable HOME is not set',
        '2:18 a: "default" cannot be combined with $env, which replaces the whole map',
      ],
    ],
    [
      'two directives',
      'a: { $ref: /b, $env: X, $default: 1 }\nb: 1',
      ['2:16 a: $ref and $env are mutually exclusive'],
    ],
    ['$args without $require', 'a: { $args: [] }', ['2:6 a: $args is only allowed beside $require']],
    ['$default without $env', 'a: { $default: 1 }', ['2:6 a: $default is only allowed beside $env']],
    [
      'a map as $args',
      'a: { $require: "./objects.mjs#Empty", $args: { b: 1 } }',
      ['2:46 a.$args: expected a list of arguments, got a map'],
    ],
    [
      'null as $args',
      'a: { $require: "./objects.mjs#Empty", $args: }',
      ['2:46 a.$args: expected a list of arguments, got null'],
    ],
    [
      'a $require that is not text',
      'a: { $require: 5 }',
      ['2:16 a.$require: $require takes text, got a number'],
    ],
    ['a $ref that is not a pointer', 'a: { $ref: b }\nb: 1', ['2:12 a.$ref: "b" is not a JSON pointer']],
    [
      'an $env that is not a name',
      'a: { $env: "my variable" }',
      ['2:12 a.$env: this is not the name of an environment variable'],
    ],
    [
      'an unknown type',
      'a: { $require: "./objects.mjs?t=klass#Empty" }',
      ['2:16 a.$require: "./objects.mjs?t=klass#Empty" does not know t=klass'],
    ],
    [
      'a dangling $ref',
      'a: { $ref: /constants/prot }\nconstants: { port: 1 }',
      ['2:12 a: there is no "prot" in /constants'],
    ],
    [
      'an index outside the list',
      'a: { $ref: /list/2 }\nlist: [1, 2]',
      ['2:12 a: the list at /list has no item 2'],
    ],
    [
      'a step into a scalar',
      'a: { $ref: /b/c }\nb: 1',
      ['2:12 a: /b is neither a map nor a list: there is no "c" in it'],
    ],
    [
      'a step into a variable',
      'a: { $ref: /b/c }\nb: { $env: X }',
      ['2:12 a: /b is an environment variable and has no "c"'],
    ],
    [
      'a $ref into an object',
      'a: { $ref: /o/p }\no: { $require: "./objects.mjs#Empty" }',
      ['2:12 a: /o/p lies inside the object that $require builds at /o'],
    ],
    ['a $ref that goes through itself', 'a: { $ref: /a/b }', ['2:12 a: the $ref at /a is circular']],
  ]
  for (const [what, sections, expected] of cases) {
    it(`are located: ${what}`, async () => {
      assert.deepEqual(places(await folder.fail(sections, '/a')), expected)
    })
  }

  const cycles: [string, string, string][] = [
    ['of two', 'a: { $ref: /b }\nb: { $ref: /a }', '/a -> /b -> /a'],
    [
      'through arguments',
      'a: { $require: "./objects.mjs#Recorder", $args: [{ x: { $ref: /b } }] }\nb: [{ $ref: /a }]',
      '/a -> /b -> /a',
    ],
    ['together with its container', 'a: { b: { $ref: /a } }', '/a -> /a'],
    ['of aliases', 'a: &x [*x]', '/a -> /a'],
  ]
  for (const [what, sections, chain] of cycles) {
    it(`name the chain of a cycle ${what}`, async () => {
      const { problems } = await folder.fail(sections, '/a')
      assert.deepEqual(
        problems.map(({ message }) => message),
        [`the reference is circular: ${chain}`],
      )
    })
  }

  it('do not mistake siblings for a cycle', async () => {
    const sections =
      'a: { x: { $ref: /b/y }, z: 1 }\nb: { y: { $ref: /a/z }, w: { $ref: /c } }\nc: [{ $ref: /a }]'
    assert.deepEqual(await folder.build(sections, '/b'), { y: 1, w: [{ x: 1, z: 1 }] })
  })

  it('come with advice', async () => {
    const advice = async (sections: string, environment = {}) =>
      (await folder.fail(sections, '/a', { environment })).problems.map((problem) => problem.advice)
    assert.deepEqual(await advice('a: { $requre: x }'), [
      'did you mean "$require"? known keywords: $require, $args, $ref, $env, $default',
    ])
    assert.deepEqual(await advice('a: { $ref: "#/b" }'), ['did you mean "/b"?'])
    assert.deepEqual(await advice('a: { $ref: /constants/prot }\nconstants: { port: 1 }'), [
      'did you mean "port"? there are: port',
    ])
    assert.match(
      (await advice('a: { $require: "./objects.mjs#Empty", args: [] }'))[0] ?? '',
      /did you mean "\$args"/,
    )
    assert.match(
      (await advice('a: { $env: DATABASE_ULR }', { DATABASE_URL: 'x' }))[0] ?? '',
      /did you mean DATABASE_URL/,
    )
    assert.match(
      (await advice('a: { $ref: /o/p }\no: { $require: "./objects.mjs#Empty" }'))[0] ?? '',
      /\?p=\/p/,
    )
  })

  it('are reported once, however many references lead to them', async () => {
    const error = await folder.fail(
      'a: [{ $ref: /b }, { $ref: /b }, { $ref: /b/c }]\nb: { $ref: /c, d: 1 }\nc: { c: 1 }',
      '/a',
    )
    assert.deepEqual(places(error), [
      '3:16 b: "d" cannot be combined with $ref, which replaces the whole map',
    ])
  })

  it('are reported again on the next request', async () => {
    const configuration = await folder.load('a: { $ref: /b }\nc: 1')
    await assert.rejects(configuration.build('/a'), /there is no section "b"/)
    await assert.rejects(configuration.build('/a'), /there is no section "b"/)
    assert.deepEqual(await configuration.build('/c'), [1])
  })

  it('are ignored where nothing leads to them', async () => {
    assert.equal(
      await folder.build('a: 1\nserver: { $require: "not-installed#X", $args: { $env: NO } }', '/a'),
      1,
    )
  })
})

describe('$env', () => {
  let folder: ConfigurationFolder
  before(async () => {
    folder = await ConfigurationFolder.create()
  })
  after(() => folder.remove())

  it('is always text', async () => {
    assert.deepEqual(
      await folder.build('a: [{ $env: A }, { $env: B }]', '/a', { environment: { A: '1', B: '' } }),
      ['1', ''],
    )
  })

  it('uses a default of any type if the variable is unset or empty', async () => {
    const sections = 'a: { $env: A, $default: { b: { $ref: /c } } }\nc: 1'
    for (const environment of [{}, { A: '' }, { A: undefined }]) {
      assert.deepEqual(await folder.build(sections, '/a', { environment }), { b: 1 })
    }
    assert.equal(await folder.build(sections, '/a', { environment: { A: 'x' } }), 'x')
    assert.equal(await folder.build('a: { $env: A, $default: null }', '/a'), null)
  })

  it('accepts defaults that name other variables', async () => {
    const sections = 'a: { $env: A, $default: { $env: B, $default: { $env: C } } }'
    assert.equal(await folder.build(sections, '/a', { environment: { C: 'c' } }), 'c')
    const error = await folder.fail(sections, '/a')
    assert.match(places(error)[0] ?? '', /the environment variable C is not set$/)
  })

  it('does not require variables that only an unused default needs', async () => {
    const sections = 'a: { $env: A, $default: { $require: "not-installed#X" } }'
    assert.equal(await folder.build(sections, '/a', { environment: { A: 'x' } }), 'x')
  })

  it('ignores inherited properties of the environment', async () => {
    assert.match(
      places(await folder.fail('a: { $env: constructor }', '/a'))[0] ?? '',
      /constructor is not set/,
    )
  })

  it('reads the environment of the process by default', async () => {
    process.env.AGENT_CONFIG_TEST = 'from the process'
    try {
      const file = await folder.write('agent.yml', 'version: 3\na: { $env: AGENT_CONFIG_TEST }')
      const [value] = await (await loadConfiguration(file)).build('/a')
      assert.equal(value, 'from the process')
    } finally {
      delete process.env.AGENT_CONFIG_TEST
    }
  })
})
