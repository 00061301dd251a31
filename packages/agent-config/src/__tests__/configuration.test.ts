import assert from 'node:assert/strict'
import fc from 'fast-check'
import { join } from 'node:path'
import { ConfigurationError } from '../index.js'
import { ConfigurationFolder, configurationError, places } from './support/configuration-folder.js'

const ROOMS = `
export const log = []
class Room {
  constructor(name, ...needs) {
    log.push('build ' + name)
    const write = (what) => async () => { log.push(what + ' ' + name) }
    this.lifecycle = { start: write('start'), stop: write('stop'), check: async () => [{ name, ok: true }] }
  }
}
export { Room }
const refuse = (name, code, details) => Object.assign(new Error('is refused'), { name, code, details })
export class Refusing {
  lifecycle = { start: async () => { throw refuse('AgentError', 'wrong_secret', [{ path: 'secret', message: 'does not fit' }]) } }
}
export class Offline {
  lifecycle = { start: async () => { throw refuse('AgentError', 'ledger_unavailable', []) } }
}
export const wrap = (room) => ({ lifecycle: room.lifecycle, wrapped: true })
export class Measured {
  constructor() { this.measurements = [{ form: { name: 'x' } }, { form: { name: 'y' } }] }
}
export const wrapMeasured = (room) => ({ measurements: room.measurements, room })
export const inner = () => ({ lifecycle: { start: async () => { log.push('start whole') } }, part: { x: 1 } })
`

/** A tree of plain values, some of them references to sections. */
type Tree = string | number | boolean | null | Tree[] | { [key: string]: Tree } | Reference
class Reference {
  constructor(readonly to: number) {}
}

const trees = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.nat(4).map((to) => new Reference(to)),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(
      fc.string().filter((key) => !key.startsWith('$') && key !== '<<'),
      tie('tree'),
      { maxKeys: 3 },
    ),
  ),
})).tree

/** Section n may refer to later sections only, so that there is no cycle. */
const sectionsOf = (roots: Tree[]) => roots.map((root, n) => onlyLater(root, n, roots.length))
function onlyLater(tree: Tree, section: number, count: number): Tree {
  if (tree instanceof Reference) {
    const to = section + 1 + tree.to
    return to < count ? new Reference(to) : 'no reference'
  }
  return mapTree(tree, (child) => onlyLater(child, section, count))
}
function mapTree<T>(
  tree: Tree,
  change: (child: Tree) => T,
): Exclude<Tree, Tree[] | Record<string, Tree>> | T[] | Record<string, T> {
  if (Array.isArray(tree)) return tree.map(change)
  if (typeof tree !== 'object' || tree === null || tree instanceof Reference) return tree
  return Object.fromEntries(Object.entries(tree).map(([key, child]) => [key, change(child)]))
}
const asWritten = (tree: Tree): unknown =>
  tree instanceof Reference ? { $ref: `/section-${tree.to}` } : mapTree(tree, asWritten)
const resolved = (tree: Tree, sections: Tree[]): unknown =>
  tree instanceof Reference
    ? resolved(sections[tree.to] ?? null, sections)
    : mapTree(tree, (child) => resolved(child, sections))

describe('a configuration', () => {
  let folder: ConfigurationFolder
  let rooms = 0
  let module = ''
  let log: string[] = []
  beforeEach(async () => {
    folder = await ConfigurationFolder.create()
    // A module of its own for each test, as Node.js keeps modules.
    module = `./rooms-${++rooms}.mjs`
    const file = await folder.write(module, ROOMS)
    log = ((await import(file)) as { log: string[] }).log
  })
  afterEach(() => folder.remove())

  it('returns the measurements of all its objects, nested ones included, each once', async () => {
    const configuration = await folder.load(
      `plain: { $require: '${module}#Room', $args: [plain] }
measured: { $require: '${module}#Measured' }
wrapped: { $require: '${module}?t=function#wrapMeasured', $args: [{ $require: '${module}#Measured' }] }
`,
    )
    assert.equal(configuration.measurements.length, 0)
    await configuration.build('/plain', '/measured')
    assert.equal(configuration.measurements.length, 2)
    await configuration.build('/wrapped')
    assert.deepEqual(
      configuration.measurements.map(({ form }) => form.name),
      ['x', 'y', 'x', 'y'],
    )
  })

  const room = (name: string, ...needs: string[]) =>
    `{ $require: '${module}#Room', $args: [${[name, ...needs.map((need) => `{ $ref: ${need} }`)].join(', ')}] }`

  it('builds the same from references as from values inlined by hand', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(trees, { minLength: 1, maxLength: 5 }), async (roots) => {
        const sections = sectionsOf(roots)
        const text = sections.map((tree, n) => `section-${n}: ${JSON.stringify(asWritten(tree))}`).join('\n')
        const configuration = await folder.load(text)
        const built = await configuration.build(...sections.map((_, n) => `/section-${n}`))
        assert.deepEqual(
          built,
          sections.map((tree) => resolved(tree, sections)),
        )
      }),
    )
  })

  it('builds only what is requested, each object once', async () => {
    const configuration = await folder.load(`a: ${room('a', '/b')}\nb: ${room('b')}\nc: ${room('c', '/b')}`)
    const [b] = await configuration.build('/b')
    const [a, again] = await configuration.build('/a', '/b')
    assert.equal(b, again)
    assert.ok(a)
    assert.deepEqual(log, ['build b', 'build a'])
    await Promise.all([configuration.build('/c'), configuration.build('/c')])
    assert.deepEqual(log, ['build b', 'build a', 'build c'])
  })

  it('builds nothing if an error can be found beforehand', async () => {
    const configuration = await folder.load(`a: ${room('a')}\nb: { $ref: /nowhere }`)
    await configurationError(configuration.build('/a', '/b'))
    assert.deepEqual(log, [])
    await configuration.build('/a')
    assert.deepEqual(log, ['build a'])
  })

  it('lists the existing sections when one is missing', async () => {
    const configuration = await folder.load('servr: 1')
    const error = await configurationError(configuration.build('/server', 'no-pointer'))
    assert.deepEqual(places(error), [
      '1:1 : there is no section "server"',
      '1:1 : "no-pointer" is not a JSON pointer',
    ])
    assert.equal(error.problems[0]?.advice, 'did you mean "servr"? there are: version, servr')
  })

  it('knows its sections', async () => {
    const configuration = await folder.load('a: { b: [null] }\nc: { $ref: /a }')
    const pointers = ['/a', '/a/b/0', '/c/b', '', '/d', '/a/b/1', 'a']
    assert.deepEqual(
      pointers.map((pointer) => configuration.has(pointer)),
      [true, true, true, true, false, false, false],
    )
    assert.equal(configuration.file, join(folder.path, 'agent.yml'))
  })

  it('describes what was built', async () => {
    const configuration = await folder.load(`a: [${room('x')}, { $require: 'node:path?t=object' }]`)
    await configuration.build('/a')
    assert.deepEqual(configuration.describe(), [
      { pointer: '/a/0', module, member: 'Room', line: 2 },
      { pointer: '/a/1', module: 'node:path', line: 2 },
    ])
  })

  it('starts in build order and stops in reverse order', async () => {
    const configuration = await folder.load(`a: ${room('a', '/b')}\nb: ${room('b')}`)
    await configuration.build('/a')
    await configuration.start()
    assert.deepEqual(
      (await configuration.check()).map(({ name }) => name),
      ['b', 'a'],
    )
    await Promise.all([configuration.stop(), configuration.stop()])
    assert.deepEqual(log, ['build b', 'build a', 'start b', 'start a', 'stop a', 'stop b'])
  })

  it('starts wrapped and partially used objects once', async () => {
    const configuration = await folder.load(
      `a: { $require: '${module}?t=function#wrap', $args: [${room('a')}] }\nb: { $require: '${module}?t=function&p=/part#inner' }`,
    )
    assert.deepEqual((await configuration.build('/b'))[0], { x: 1 })
    await configuration.build('/a')
    await configuration.start()
    assert.deepEqual(log, ['build a', 'start whole', 'start a'])
  })

  it('starts what was built even if other objects failed to build', async () => {
    const configuration = await folder.load(
      `a: ${room('a')}\nb: { $require: './objects.mjs#Failing', $args: [x] }`,
    )
    await configurationError(configuration.build('/a', '/b'))
    await configuration.start()
    await configuration.stop()
    assert.deepEqual(log, ['build a', 'start a', 'stop a'])
  })

  it('locates a start failure that is caused by the configuration', async () => {
    const configuration = await folder.load(
      `a: ${room('a')}\nb: { $require: '${module}#Refusing', $args: [{ secret: abcdef }] }`,
    )
    await configuration.build('/a', '/b')
    const error = await configurationError(configuration.start())
    assert.deepEqual(
      places(error).map((place) => place.replace(/^\d+:\d+ /, '')),
      ['b.$args[0].secret: does not fit'],
    )
    assert.doesNotMatch(error.message, /abcdef/)
    assert.deepEqual(log, ['build a', 'start a', 'stop a'])
  })

  it('rethrows every other start failure unchanged', async () => {
    const configuration = await folder.load(`b: { $require: '${module}#Offline' }`)
    await configuration.build('/b')
    await assert.rejects(configuration.start(), (error: unknown) => {
      assert.ok(!(error instanceof ConfigurationError))
      return (error as { code?: string }).code === 'ledger_unavailable'
    })
  })
})
