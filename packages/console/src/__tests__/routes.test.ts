import assert from 'node:assert/strict'
import fc from 'fast-check'
import { routeHash, routePage, parseRoute, type Place, type Route } from '../routes.js'

const text = fc.string({ minLength: 1, unit: 'grapheme-composite' })

describe('page addresses', () => {
  it('round-trip, whatever names contain', () => {
    const list = fc.tuple(text, text, text, text).map(([did, listType, resourceType, statusListName]) => ({
      did,
      listType,
      resourceType,
      statusListName,
    }))
    const place: fc.Arbitrary<Place> = fc.oneof(
      fc.integer({ min: 2, max: 400 }).map((number) => ({ number })),
      text.map((after) => ({ after })),
    )
    const route: fc.Arbitrary<Route> = fc.oneof(
      fc.constantFrom<Route>(
        { page: 'dids' },
        { page: 'keys' },
        { page: 'credentials' },
        { page: 'lists' },
        { page: 'lists', place: { after: 'x y' } },
        { page: 'changes' },
        { page: 'changes', search: { job: 'a b/c' } },
        { page: 'events' },
      ),
      text.map((did): Route => ({ page: 'did', did })),
      fc.tuple(text, place).map(([did, place]): Route => ({ page: 'did', did, place })),
      fc
        .tuple(text, text, place)
        .map(([network, alias, place]): Route => ({ page: 'dids', search: { network, alias }, place })),
      list.map((one): Route => ({ page: 'list', list: one })),
      place.map((one): Route => ({ page: 'account', place: one })),
      place.map((one): Route => ({ page: 'webhooks', place: one })),
      fc
        .tuple(fc.record({ event: text, subject: text, since: text }, { noNullPrototype: true }), place)
        .map(([search, one]): Route => ({ page: 'audit', search, place: one })),
      fc
        .record({ alias: text }, { noNullPrototype: true })
        .map((search): Route => ({ page: 'keys', search })),
    )
    fc.assert(fc.property(route, (one) => assert.deepEqual(parseRoute(routeHash(one)), one)))
  })

  it('lead to the first page if empty, and to a not-found page if invalid', () => {
    for (const hash of ['', '#', '#/', '#/dids']) assert.deepEqual(parseRoute(hash), { page: 'dids' }, hash)
    const wrong = [
      '#/nothing',
      '#/lists/did/type',
      '#/lists/a/b/c/d/e',
      '#/dids/%E0%A4%A',
      '#/dids/',
      '#/dids/a/b',
    ]
    for (const hash of [
      ...wrong,
      '#/keys/x',
      '#/account/x',
      '#/account/audit/x',
      '#/events/x',
      '#/try',
      '#//',
    ]) {
      assert.deepEqual(parseRoute(hash), { page: 'unknown', address: hash }, hash)
    }
  })

  it('show the first page for an invalid page number, and identify a page regardless of its cursor', () => {
    for (const hash of ['#/dids?page=0', '#/dids?page=x', '#/dids?page=1', '#/dids?page=', '#/dids?after=']) {
      assert.deepEqual(parseRoute(hash), { page: 'dids' }, hash)
    }
    assert.deepEqual(parseRoute('#/account/audit?event='), { page: 'audit' })
    assert.equal(routePage(parseRoute('#/dids?network=testnet&page=7')), '#/dids')
    assert.equal(routePage(parseRoute('#/dids/did%3Aa%3Fb?after=c')), '#/dids/did%3Aa%3Fb')
  })
})
