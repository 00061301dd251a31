import assert from 'node:assert/strict'
import { fullPage, nextOf, totalOf, type PageOf, type PageQuery } from '../../parts/paging.js'

const page = (rows: number, others: Omit<PageOf<number>, 'items'> = {}): PageOf<number> => ({
  items: Array<number>(rows).fill(0),
  ...others,
})

describe('paging', () => {
  it('continues by page number, and by cursor where numbers end or the page is shortened', () => {
    const next = 'behind'
    assert.deepEqual(nextOf({}, 25, page(25, { total: 26, next })), { number: 2 })
    assert.deepEqual(nextOf({ number: 2 }, 25, page(1, { total: 26 })), undefined)
    assert.deepEqual(nextOf({}, 25, page(25, { total: 25 })), undefined)
    assert.deepEqual(nextOf({}, 25, page(25, { next })), { after: next })
    assert.deepEqual(nextOf({ number: 3 }, 25, page(20, { total: 200, next })), { after: next })
    assert.deepEqual(nextOf({ number: 400 }, 25, page(25, { total: 10_000, totalIsExact: false, next })), {
      after: next,
    })
    assert.deepEqual(nextOf({ after: 'a' }, 25, page(25, { total: 10_000, next })), { after: next })
    assert.deepEqual(nextOf({ after: 'a' }, 25, page(25, { total: 10_000 })), undefined)
  })

  it('fills a page from shorter and empty ones, and asks for no more than fits', async () => {
    const answers: Record<string, PageOf<number>> = {
      '': { items: [1], total: 9, next: 'a' },
      a: { items: [], next: 'b' },
      b: { items: [2, 3], next: 'c' },
    }
    const queries: PageQuery[] = []
    const read = (query: PageQuery) => {
      queries.push(query)
      return Promise.resolve(answers[query.after ?? ''] ?? assert.fail(query.after))
    }
    assert.deepEqual(await fullPage(read, {}, 3), { items: [1, 2, 3], total: 9, next: 'c' })
    assert.deepEqual(queries, [{ limit: 3 }, { limit: 2, after: 'a' }, { limit: 2, after: 'b' }])
    assert.deepEqual(await fullPage(() => Promise.resolve(page(2)), { number: 4 }, 3), {
      ...page(2),
      next: undefined,
    })
  })

  it('ends a search that finds nothing, with the place where it continues', async () => {
    let asked = 0
    const nothing = () => Promise.resolve({ items: [], next: String((asked += 1)) })
    const { items, next } = await fullPage(nothing, { after: 'x' }, 25)
    assert.deepEqual([items, next], [[], String(asked)])
    assert.ok(asked < 100)
  })

  it('shows no exact total if not everything was counted', () => {
    assert.equal(totalOf({ total: 1 }, 'DID'), '1 DID')
    assert.equal(totalOf({ total: 10_000 }, 'DID'), '10,000 DIDs')
    assert.equal(totalOf({ total: 10_000, totalIsExact: false }, 'DID'), '10,000 DIDs or more')
  })
})
