/** Entries in rows, as they are drawn. */
export interface Grid {
  entries: number
  columns: number
  rows: number
}

/** Which part of a grid is seen: pixels of the screen for each entry, and the place of the first one. */
export interface View {
  scale: number
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

const LARGEST_SCALE = 48

/** About twice as wide as high, in a number of columns that is easy to count in. */
export function bitmapGrid(entries: number): Grid {
  const columns = 2 ** Math.max(4, Math.round(Math.log2(Math.sqrt(Math.max(1, entries) * 2))))
  return { entries, columns, rows: Math.max(1, Math.ceil(entries / columns)) }
}

/** The whole grid, in the middle. */
export function fitted(grid: Grid, size: Size): View {
  return clamped({ scale: 0, x: 0, y: 0 }, grid, size)
}

/** Zooms by a factor; the entry under a point of the screen stays there. */
export function zoomed(
  view: View,
  factor: number,
  at: { x: number; y: number },
  grid: Grid,
  size: Size,
): View {
  const scale = Math.min(LARGEST_SCALE, Math.max(leastScale(grid, size), view.scale * factor))
  const ratio = scale / view.scale
  return clamped({ scale, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio }, grid, size)
}

export const panned = (view: View, dx: number, dy: number, grid: Grid, size: Size): View =>
  clamped({ ...view, x: view.x + dx, y: view.y + dy }, grid, size)

/** Moves only as far as necessary to make an entry visible, and large enough. */
export function revealing(view: View, index: number, grid: Grid, size: Size): View {
  const scale = Math.max(view.scale, Math.min(6, LARGEST_SCALE))
  const grown =
    scale === view.scale ? view : zoomed(view, scale / view.scale, entryCentre(view, index, grid), grid, size)
  const margin = Math.min(2 * scale, size.width / 4, size.height / 4)
  const left = grown.x + (index % grid.columns) * scale
  const top = grown.y + Math.floor(index / grid.columns) * scale
  const shift = (start: number, room: number) =>
    start < margin ? margin - start : start + scale > room - margin ? room - margin - scale - start : 0
  return panned(grown, shift(left, size.width), shift(top, size.height), grid, size)
}

/** The entry at a point of the screen. */
export function indexAt(
  view: View,
  x: number,
  y: number,
  { columns, rows, entries }: Grid,
): number | undefined {
  const column = Math.floor((x - view.x) / view.scale)
  const row = Math.floor((y - view.y) / view.scale)
  if (column < 0 || column >= columns || row < 0 || row >= rows) return undefined
  const index = row * columns + column
  return index < entries ? index : undefined
}

/** The place where an entry is drawn. */
export function entryCentre(view: View, index: number, { columns }: Grid): { x: number; y: number } {
  return {
    x: view.x + ((index % columns) + 0.5) * view.scale,
    y: view.y + (Math.floor(index / columns) + 0.5) * view.scale,
  }
}

const leastScale = ({ columns, rows }: Grid, { width, height }: Size): number =>
  Math.min(LARGEST_SCALE, width / columns, height / rows)

/** Content smaller than the screen is centred, larger content leaves no gap. */
function clamped({ scale, x, y }: View, grid: Grid, size: Size): View {
  const used = Math.max(scale, leastScale(grid, size))
  const place = (offset: number, extent: number, room: number) =>
    extent <= room ? (room - extent) / 2 : Math.min(0, Math.max(room - extent, offset))
  return {
    scale: used,
    x: place(x, grid.columns * used, size.width),
    y: place(y, grid.rows * used, size.height),
  }
}
