import assert from 'node:assert/strict'
import { chooseExport } from '../choose-export.js'
import { parseRequire } from '../require-reference.js'

class Thing {}
const arrow = () => 1
const namespace = Object.assign(Object.create(null) as object, {
  Thing,
  arrow,
  asynchronous: async () => 1,
  old: function Old() {
    return undefined
  },
  zero: 0,
  list: [],
  absent: undefined,
  default: Thing,
}) as Record<string, unknown>

function choose(text: string) {
  const parsed = parseRequire(text)
  assert.ok('reference' in parsed)
  return chooseExport(namespace, parsed.reference)
}
const message = (text: string) => {
  const chosen = choose(text)
  assert.ok(!chosen.found)
  return chosen.message
}

describe('export named by a $require', () => {
  it('is the one that is used', () => {
    assert.deepEqual(choose('m#Thing'), { found: true, value: Thing })
    assert.deepEqual(choose('m#default'), { found: true, value: Thing })
    assert.deepEqual(choose('m?t=function#arrow'), { found: true, value: arrow })
    assert.deepEqual(choose('m?t=object#zero'), { found: true, value: 0 })
    assert.deepEqual(choose('m?t=object'), { found: true, value: namespace })
    assert.equal(choose('m#old').found, true)
    assert.equal(choose('m?t=function#old').found, true)
  })

  it('must exist', () => {
    const chosen = choose('m#Thign')
    assert.ok(!chosen.found)
    assert.equal(chosen.message, '"m" has no export "Thign"')
    assert.match(chosen.advice ?? '', /^did you mean "Thing"\? it has: Thing, absent, arrow/)
  })

  it('must not be an inherited property', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'prototype', 'length']) {
      assert.equal(message(`m#${name}`), `"m" has no export "${name}"`)
    }
  })

  it('must fit its use', () => {
    assert.equal(message('m#arrow'), '"m#arrow" is a function, not a class')
    assert.equal(message('m#asynchronous'), '"m#asynchronous" is a function, not a class')
    assert.equal(message('m?t=function#Thing'), '"m#Thing" is a class, not a function')
    assert.equal(message('m#zero'), '"m#zero" is a number, not a class')
    assert.equal(message('m?t=function#list'), '"m#list" is a list, not a function')
    assert.equal(message('m#absent'), '"m#absent" is undefined, not a class')
    assert.equal(message('m'), '"m" is an object, not a class')
  })

  it('is checked without being constructed', () => {
    let built = 0
    class Counted {
      constructor() {
        built++
      }
    }
    assert.equal(
      chooseExport({ Counted }, { module: 'm', member: 'Counted', type: 'class', pointer: [] }).found,
      true,
    )
    assert.equal(built, 0)
  })
})
