import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  entryCentre,
  fitted,
  bitmapGrid,
  indexAt,
  panned,
  revealing,
  zoomed,
  type View,
} from '../../status-list/bitmap-view.js'

const sizes = fc.record({
  width: fc.integer({ min: 40, max: 3000 }),
  height: fc.integer({ min: 40, max: 3000 }),
})
const entries = fc.integer({ min: 1, max: 20_000_000 })

/** A view reached by zooming and panning. */
const moves = fc.array(
  fc.record({
    factor: fc.double({ min: 0.2, max: 5, noNaN: true }),
    x: fc.integer({ min: 0, max: 3000 }),
    y: fc.integer({ min: 0, max: 3000 }),
    dx: fc.integer({ min: -5000, max: 5000 }),
    dy: fc.integer({ min: -5000, max: 5000 }),
  }),
  { maxLength: 6 },
)

describe('bitmap view', () => {
  it('fits every entry, in about twice as many columns as rows', () => {
    fc.assert(
      fc.property(entries, (count) => {
        const { columns, rows } = bitmapGrid(count)
        assert.ok(columns * rows >= count && columns * (rows - 1) < count)
      }),
    )
    assert.deepEqual(bitmapGrid(131_072), { entries: 131_072, columns: 512, rows: 256 })
  })

  it('shows the whole bitmap initially', () =>
    fc.assert(
      fc.property(entries, sizes, (count, size) => {
        const grid = bitmapGrid(count)
        const { x, y, scale } = fitted(grid, size)
        assert.ok(x > -0.01 && y > -0.01)
        assert.ok(x + grid.columns * scale < size.width + 0.01)
        assert.ok(y + grid.rows * scale < size.height + 0.01)
      }),
    ))

  it('never loses the bitmap, maps every drawn entry to its index and can reveal any entry', () =>
    fc.assert(
      fc.property(entries, sizes, moves, fc.nat(), (count, size, steps, some) => {
        const grid = bitmapGrid(count)
        const index = some % count
        let view: View = fitted(grid, size)
        for (const { factor, x, y, dx, dy } of steps) {
          view = panned(zoomed(view, factor, { x, y }, grid, size), dx, dy, grid, size)
          assert.ok(view.scale > 0 && view.scale <= 48)
          assert.ok(view.x < size.width && view.x + grid.columns * view.scale > 0)
          assert.ok(view.y < size.height && view.y + grid.rows * view.scale > 0)
        }
        const shown = revealing(view, index, grid, size)
        const centre = entryCentre(shown, index, grid)
        assert.equal(indexAt(shown, centre.x, centre.y, grid), index)
        assert.ok(centre.x > 0 && centre.x < size.width && centre.y > 0 && centre.y < size.height)
      }),
    ))

  it('keeps the entry under the pointer in place when zooming in', () => {
    const [grid, size] = [bitmapGrid(131_072), { width: 900, height: 450 }]
    const at = { x: 333, y: 222 }
    let view = fitted(grid, size)
    const before = indexAt(view, at.x, at.y, grid)
    for (let n = 0; n < 5; n++) view = zoomed(view, 1.5, at, grid, size)
    assert.equal(indexAt(view, at.x, at.y, grid), before)
  })

  it('maps no point outside the entries to an index', () => {
    const grid = bitmapGrid(20)
    const view = { scale: 10, x: 0, y: 0 }
    assert.equal(indexAt(view, 155, 5, grid), 15)
    assert.equal(indexAt(view, 35, 15, grid), 19)
    assert.equal(indexAt(view, 45, 15, grid), undefined)
    assert.equal(indexAt(view, -1, 5, grid), undefined)
    assert.equal(indexAt(view, 165, 5, grid), undefined)
  })
})
