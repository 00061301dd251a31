import assert from 'node:assert/strict'
import { Agent } from '@veramo/core'
import { pluginMistakes, withUsableSchemas } from '../agent-plugins.js'
import { ConfigurationFolder, places } from './support/configuration-folder.js'

const plugin = (...methods: string[]) => ({
  methods: Object.fromEntries(methods.map((method) => [method, async () => method])),
})
const messages = (...plugins: unknown[]) =>
  pluginMistakes({ plugins }, (index) => `plugin ${index}`).map(({ index, message }) => `${index} ${message}`)

describe('plugins of an agent', () => {
  it('may be of any form that Veramo accepts', () => {
    assert.deepEqual(
      messages(plugin('a'), plugin('b'), { eventTypes: ['x'], onEvent: async () => undefined }),
      [],
    )
    assert.deepEqual(pluginMistakes(undefined, String), [])
    assert.deepEqual(pluginMistakes({}, String), [])
  })

  it('must not share a method', () => {
    assert.deepEqual(messages(plugin('a', 'b', 'c'), plugin('d'), plugin('b', 'a')), [
      '2 plugin 2 has methods that plugin 0 has too: "b", "a"',
    ])
  })

  it('must not be listed twice', () => {
    const same = plugin('a', 'b')
    assert.deepEqual(messages(same, same, plugin('a')), [
      '1 is the same plugin as plugin 0',
      '2 plugin 2 has a method that plugin 0 has too: "a"',
    ])
  })

  it('may share methods that are not authorised', () => {
    const options = { plugins: [plugin('a', 'b'), plugin('a')], authorizedMethods: ['b'] }
    assert.deepEqual(pluginMistakes(options, String), [])
  })

  for (const name of ['getSchema', 'context', 'execute', 'availableMethods', 'emit', 'then', 'methods']) {
    it(`must not use a reserved method name: ${name}`, () => {
      assert.deepEqual(messages(plugin(name)), [
        `0 has a method "${name}", which would replace the agent's own`,
      ])
    })
  }

  it('are checked against every reserved name of the agent', () => {
    const agent = new Agent({})
    const own = [...Object.keys(agent), ...Object.getOwnPropertyNames(Object.getPrototypeOf(agent) as object)]
    for (const name of own) assert.equal(messages(plugin(name)).length, 1, name)
  })

  it('must be objects with methods', () => {
    assert.deepEqual(
      messages(null, undefined, class {}, 'text', [], {}, { methods: 1 }, { methods: { a: 1 } }),
      [
        '0 is null, not a plugin',
        '1 is undefined, not a plugin',
        '2 is a function, not a plugin',
        '3 is text, not a plugin',
        '4 is a list, not a plugin',
        '5 is not a plugin: it has neither methods nor events',
        '6 is not a plugin: its "methods" is not a map',
        '7 has methods that are not functions: a',
      ],
    )
    assert.match(pluginMistakes({ plugins: {} }, String)[0]?.message ?? '', /must be a list/)
  })

  it('keep everything else when their schema is incomplete', async () => {
    class Listening {
      readonly #heard: unknown[] = []
      readonly schema = {}
      readonly eventTypes = ['news']
      readonly methods = { heard: async () => this.#heard }
      onEvent(event: { data: unknown }) {
        this.#heard.push(event.data)
        return Promise.resolve()
      }
    }
    const plugins = [new Listening()]
    assert.throws(
      () => new Agent({ plugins } as never),
      TypeError,
      'Veramo has learnt to take this: drop the work-around',
    )
    const agent = new Agent(withUsableSchemas({ plugins }) as never)
    await agent.emit('news', 1)
    assert.deepEqual(await agent.execute('heard', {}), [1])
  })

  it('stay unchanged when they have a schema', () => {
    const complete = { ...plugin('a'), schema: { components: { schemas: {}, methods: {} } } }
    const options = withUsableSchemas({ plugins: [complete], schemaValidation: true })
    assert.deepEqual(options, { plugins: [complete], schemaValidation: true })
    assert.equal((options as { plugins: unknown[] }).plugins[0], complete)
  })

  it('are reported with their lines', async () => {
    const folder = await ConfigurationFolder.create({
      'plugins.mjs': `
        export class A { methods = { one: async () => 1, two: async () => 2 } }
        export class B { methods = { two: async () => 2, getSchema: async () => 3 } }
        export const schemaless = { schema: {}, methods: { three: async () => 3 } }`,
    })
    try {
      const agent = (plugins: string) => `a: { $require: './plugins.mjs#A' }
agent:
  $require: '@veramo/core#Agent'
  $args:
    - plugins:
        - { $ref: /a }
${plugins}`
      const error = await folder.fail(
        agent(
          `        - { $require: './plugins.mjs#B' }\n        - { $require: './plugins.mjs?t=object#B' }\n`,
        ),
        '/agent',
      )
      assert.deepEqual(places(error), [
        `8:11 agent.$args[0].plugins[1]: has a method "getSchema", which would replace the agent's own`,
        '8:11 agent.$args[0].plugins[1]: "./plugins.mjs#B" (line 8) has a method that "./plugins.mjs#A" (line 7) has too: "two"',
        '9:11 agent.$args[0].plugins[2]: is a function, not a plugin',
      ])
      const built = await folder.build(
        agent(`        - { $require: './plugins.mjs?t=object#schemaless' }\n`),
        '/agent',
      )
      assert.deepEqual((built as Agent).availableMethods(), ['one', 'two', 'three'])
    } finally {
      await folder.remove()
    }
  })
})
