import assert from 'node:assert/strict'
import { readDocument } from '../document.js'
import { ModuleLoader } from '../module-loader.js'
import { neededObjects } from '../locate.js'
import { ObjectBuilder } from '../object-builder.js'
import { Planner } from '../planner.js'
import { ConfigurationFolder, places } from './support/configuration-folder.js'

interface Recorder {
  args: unknown[]
}

describe('object builder', () => {
  let folder: ConfigurationFolder
  before(async () => {
    folder = await ConfigurationFolder.create()
  })
  after(() => folder.remove())
  const build = (sections: string, pointer = '/a') => folder.build(sections, pointer)

  it('keeps null, in lists as well', async () => {
    assert.deepEqual(await build('a: { n: null, e: , t: ~, l: [null, 1] }'), {
      n: null,
      e: null,
      t: null,
      l: [null, 1],
    })
  })

  it('follows references to false, empty and null values', async () => {
    const sections =
      'a: [{ $ref: /c/z }, { $ref: /c/f }, { $ref: /c/e }, { $ref: /c/n }]\nc: { z: 0, f: false, e: "", n: null }'
    assert.deepEqual(await build(sections), [0, false, '', null])
  })

  for (const order of ['[{ $ref: /c/p }, { $ref: /c }]', '[{ $ref: /c }, { $ref: /c/p }]']) {
    it(`shares a part with the whole that contains it: ${order}`, async () => {
      const value = (await build(`a: ${order}\nc: { p: { x: 1 }, q: 2 }`)) as [never, never]
      const [part, whole] = order.startsWith('[{ $ref: /c/p') ? value : [value[1], value[0]]
      assert.deepEqual(whole, { p: { x: 1 }, q: 2 })
      assert.equal((whole as { p: unknown }).p, part)
    })
  }

  it('builds one object per location', async () => {
    const sections = `a: [{ $ref: /o }, { $ref: /r }, { $ref: /holder/$args/0/inner }, { $ref: /holder }]
r: { $ref: /o }
o: { $require: './objects.mjs#Recorder' }
holder: { $require: './objects.mjs#Recorder', $args: [{ inner: { $require: './objects.mjs#Empty' } }] }
`
    const [first, second, inner, holder] = (await build(sections)) as [Recorder, Recorder, unknown, Recorder]
    assert.equal(first, second)
    assert.equal((holder.args[0] as { inner: unknown }).inner, inner)
  })

  it('builds one object for an anchor and its aliases', async () => {
    const [one, other] = (await build("a: [&x { $require: './objects.mjs#Empty' }, *x]")) as unknown[]
    assert.equal(one, other)
  })

  it('follows references through references and into lists', async () => {
    assert.equal(
      await build('a: { $ref: /b/l/1/x~1y }\nb: { $ref: /c }\nc: { l: [0, { x/y: found }] }'),
      'found',
    )
  })

  it('turns special keys into own properties', async () => {
    const value = (await build('a: { __proto__: { polluted: true }, 1: one, true: yes }')) as Record<
      string,
      unknown
    >
    assert.deepEqual(Object.keys(value).sort(), ['1', '__proto__', 'true'])
    assert.equal(value.polluted, undefined)
  })

  it('constructs classes, calls functions and uses objects as they are', async () => {
    const o = './objects.mjs'
    const value = (await build(`a:
  - { $require: '${o}#Recorder', $args: [1, { b: { $ref: /c } }, [null]] }
  - { $require: '${o}?t=function#record', $args: [2] }
  - { $require: '${o}?t=object#list' }
  - { $require: '${o}?t=object&p=/1#list' }
  - { $require: '${o}?t=object#promised' }
  - { $require: '${o}?t=function#nothing' }
  - { $require: '${o}?t=object#zero' }
c: 3
`)) as Recorder[]
    assert.deepEqual(value[0]?.args, [1, { b: 3 }, [null]])
    assert.deepEqual(value.slice(1), [{ args: [2] }, [1, 2], 2, 'kept promise', undefined, 0])
  })

  it('awaits a function before reading a part of its result', async () => {
    const sections = "a: { $require: './objects.mjs?t=function&p=/part/args#later', $args: [5] }"
    assert.deepEqual(await build(sections), [5])
  })

  it('lists the members of a result if a part is missing', async () => {
    const { problems } = await folder.fail("a: { $require: './objects.mjs?t=function&p=/prat#later' }", '/a')
    assert.equal(problems[0]?.message, 'what "./objects.mjs#later" gives has no /prat')
    assert.equal(problems[0]?.advice, 'it has: part, kept')
  })

  it('takes arguments from a list elsewhere', async () => {
    const sections =
      "a: { $require: './objects.mjs#Recorder', $args: { $ref: /list } }\nlist: [1, { $ref: /b }]\nb: 2"
    assert.deepEqual(((await build(sections)) as Recorder).args, [1, 2])
  })

  it('reports all failures of independent objects and nothing for their dependents', async () => {
    const failing = (message: string) => `{ $require: './objects.mjs#Failing', $args: ['${message}'] }`
    const error = await folder.fail(
      `a:
  - { $ref: /one }
  - { $require: './objects.mjs#Recorder', $args: [{ $ref: /one }, ${failing('two')}] }
  - ${failing('three')}
one: ${failing('one')}
`,
      '/a',
    )
    assert.deepEqual(places(error), [
      '4:79 a[1].$args[1]: "./objects.mjs#Failing" could not be built: two',
      '5:17 a[2]: "./objects.mjs#Failing" could not be built: three',
      '6:18 one: "./objects.mjs#Failing" could not be built: one',
    ])
  })

  it('reports a failure again on the next request, without retrying', async () => {
    await folder.write(
      'counting.mjs',
      'let n = 0\nexport const count = () => { throw new Error(`time ${++n}`) }',
    )
    const configuration = await folder.load(
      "a: { $ref: /b }\nb: { $require: './counting.mjs?t=function#count' }\nc: [{ $ref: /b }]",
    )
    for (const pointer of ['/a', '/b', '/c']) await assert.rejects(configuration.build(pointer), /time 1/)
  })

  // Each level refers to the next one twice: following every reference would take a million steps.
  it('visits a target once, however many paths lead to it', async () => {
    const levels = Array.from({ length: 20 }, (_, n) => `l${n}: [{ $ref: /l${n + 1} }, { $ref: /l${n + 1} }]`)
    const bottom = `l20: { $require: './objects.mjs#Failing', $args: [no] }`
    const top = `top: { $require: './objects.mjs#Recorder', $args: [{ $ref: /l0 }] }`
    const file = await folder.write('levels.yml', ['version: 3', top, ...levels, bottom].join('\n'))
    const planner = new Planner(await readDocument(file), {}, new Map())
    const nodes = await planner.plan(['/l0', '/top'], new ModuleLoader(file, []))
    const [l0, plan] = nodes.map((node) => planner.plans.get(node))
    assert.ok(l0?.kind === 'list' && plan?.kind === 'object')
    const built = await new ObjectBuilder(planner.document, planner.plans).buildAll(l0.items)
    assert.ok(!built.ok)
    assert.equal(built.problems.length, 1)
    assert.equal(neededObjects(plan.object, planner.plans).size, 2)
  })
})
