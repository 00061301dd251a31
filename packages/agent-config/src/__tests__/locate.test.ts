import assert from 'node:assert/strict'
import { parseConfiguration } from '../document.js'
import { locateKey, locateValue } from '../locate.js'
import { Planner } from '../planner.js'

const TEXT = `version: 3
shared: { url: { $ref: /constants/address } }
constants:
  address: here
options:
  database: { $ref: /shared }
  types: [{ name: a }, { name: b, tags: [x, y] }]
  did.web: { a: { b: nested }, a.b: dotted }
  port: { $env: PORT }
  object: { $require: 'm#C', $args: [{ inside: 1 }] }
`

function located(path: string | PropertyKey[]) {
  const document = parseConfiguration('/etc/agent.yml', TEXT)
  const options = document.root.entries.get('options')?.node
  assert.ok(options)
  const planner = new Planner(document, { PORT: 'x' }, new Map())
  planner.reach(options)
  const { node, origin } = locateValue(options, path, planner.plans)
  const { line, column } = document.source.problem({ at: node.start, path: '', message: '' })
  return `${line}:${column}${origin === undefined ? '' : ` ${origin}`}`
}

describe('location of a rejected value', () => {
  const cases: [string, PropertyKey[], string][] = [
    ['', [], '6:3'],
    ['types[1].name', ['types', 1, 'name'], '7:32'],
    ['types[1].tags[0]', ['types', 1, 'tags', 0], '7:42'],
    ['types.1.name', ['types', '1', 'name'], '7:32'],
    // through two references
    ['database.url', ['database', 'url'], '4:12'],
    // not written: the nearest parent
    ['database.user.name', ['database', 'user', 'name'], '2:9'],
    ['types[7].name', ['types', 7, 'name'], '7:10'],
    ['typesX', ['typesX'], '6:3'],
    // dots in keys: the longest key that fits
    ['did.web.a.b', ['did.web', 'a.b'], '8:37'],
    // the parts of an object are its options
    ['object.inside', ['object', 'inside'], '10:48'],
    // at the start of an object, if they have no such part
    ['object.other', ['object', 'other'], '10:11'],
    ['port', ['port'], '9:9 the environment variable PORT'],
  ]
  for (const [text, steps, place] of cases) {
    it(`is found: ${text || 'the whole value'}`, () => {
      assert.equal(located(text), place)
      assert.equal(located(steps), place)
    })
  }

  it('is the key if the key itself is wrong', () => {
    const document = parseConfiguration('/etc/agent.yml', TEXT)
    const options = document.root.entries.get('options')?.node
    assert.ok(options)
    const planner = new Planner(document, { PORT: 'x' }, new Map())
    planner.reach(options)
    const keyStart = (path: string, key: string) => locateKey(options, path, key, planner.plans).keyStart
    assert.equal(keyStart('types[1]', 'tags'), TEXT.indexOf('tags'))
    assert.equal(keyStart('database', 'url'), TEXT.indexOf('url'))
    assert.equal(keyStart('types[1]', 'none'), undefined)
  })
})
