import assert from 'node:assert/strict'
import fc from 'fast-check'
import { hashOf, routeOf, type Route } from '../routes.js'

const text = fc.string({ minLength: 1, unit: 'grapheme-composite' })

describe('addresses of pages', () => {
  it('lead back to what they were made of, whatever stands in names', () => {
    const list = fc.tuple(text, text, text, text).map(([did, listType, resourceType, statusListName]) => ({
      did,
      listType,
      resourceType,
      statusListName,
    }))
    const route: fc.Arbitrary<Route> = fc.oneof(
      fc.constantFrom<Route>({ page: 'dids' }, { page: 'keys' }, { page: 'events' }, { page: 'try' }),
      text.map((did): Route => ({ page: 'did', did })),
      text.map((operation): Route => ({ page: 'try', operation })),
      list.map((one): Route => ({ page: 'list', list: one })),
    )
    fc.assert(fc.property(route, (one) => assert.deepEqual(routeOf(hashOf(one)), one)))
  })

  it('lead to the first page where they say nothing, and to a page that says so where they mean nothing', () => {
    for (const hash of ['', '#', '#/', '#/dids']) assert.deepEqual(routeOf(hash), { page: 'dids' }, hash)
    for (const hash of ['#/nothing', '#/lists/did/type', '#/dids/%E0%A4%A', '#/dids/']) {
      assert.deepEqual(routeOf(hash), { page: 'unknown', address: hash }, hash)
    }
  })
})
