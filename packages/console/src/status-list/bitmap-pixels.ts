import type { Grid } from './bitmap-view.js'

/** A picture of a grid, made smaller by `2 ** level`: nothing that is set gets lost on the way. */
export interface Level {
  columns: number
  rows: number
  picture: HTMLCanvasElement
}

/** Red, green and blue of each value. */
export type Palette = readonly (readonly [number, number, number])[]

const SMALLEST = 64

/** One picture with a pixel for each entry, and smaller ones of it. */
export function pixelLevels(values: Uint8Array, grid: Grid, palette: Palette): Level[] {
  const levels: Level[] = []
  let cells: Uint8Array = new Uint8Array(grid.columns * grid.rows)
  cells.set(values)
  let { columns, rows } = grid
  for (;;) {
    const covered = levels.length === 0 ? grid.entries : cells.length
    levels.push({ columns, rows, picture: painted(cells, columns, rows, covered, palette) })
    if (columns <= SMALLEST) return levels
    cells = halved(cells, columns, rows)
    columns = Math.ceil(columns / 2)
    rows = Math.ceil(rows / 2)
  }
}

/** The level to draw at a scale: the first whose pixels are not smaller than those of the screen. */
export const levelFor = (levels: readonly Level[], scale: number): Level | undefined =>
  levels[Math.min(levels.length - 1, Math.max(0, Math.ceil(-Math.log2(scale))))]

/** Of four cells the one that matters most stays: the lowest value that is not 0. */
function halved(cells: Uint8Array, columns: number, rows: number): Uint8Array {
  const [width, height] = [Math.ceil(columns / 2), Math.ceil(rows / 2)]
  const half = new Uint8Array(width * height)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const value = cells[row * columns + column] ?? 0
      const place = (row >> 1) * width + (column >> 1)
      const held = half[place] ?? 0
      if (value !== 0 && (held === 0 || value < held)) half[place] = value
    }
  }
  return half
}

function painted(
  cells: Uint8Array,
  columns: number,
  rows: number,
  covered: number,
  palette: Palette,
): HTMLCanvasElement {
  const picture = document.createElement('canvas')
  picture.width = columns
  picture.height = rows
  const context = picture.getContext('2d')
  const image = context?.createImageData(columns, rows)
  if (!context || !image) return picture
  const { data } = image
  for (let n = 0; n < Math.min(cells.length, covered); n++) {
    const colour = palette[cells[n] ?? 0]
    data[n * 4] = colour?.[0] ?? 0
    data[n * 4 + 1] = colour?.[1] ?? 0
    data[n * 4 + 2] = colour?.[2] ?? 0
    data[n * 4 + 3] = 255
  }
  context.putImageData(image, 0, 0)
  return picture
}
