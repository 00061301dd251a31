import { levelFor, type Level } from './bitmap-pixels.js'
import type { Grid, Size, View } from './bitmap-view.js'

export interface Drawing {
  grid: Grid
  view: View
  size: Size
  levels: readonly Level[]
  values: Uint8Array
  selected: number | undefined
  colours: { line: string; ink: string; ring: string; halo: string }
}

const GRID_FROM = 9
const NUMBERS_FROM = 38

/** Draws the visible part of a list. */
export function draw(canvas: HTMLCanvasElement, drawing: Drawing): void {
  const { size, view, grid, levels } = drawing
  const ratio = window.devicePixelRatio || 1
  canvas.width = Math.round(size.width * ratio)
  canvas.height = Math.round(size.height * ratio)
  const context = canvas.getContext('2d')
  const level = levelFor(levels, view.scale * ratio)
  if (!context || !level) return
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.imageSmoothingEnabled = false
  const factor = 2 ** levels.indexOf(level)
  const scale = view.scale * factor
  context.drawImage(level.picture, view.x, view.y, level.columns * scale, level.rows * scale)
  if (view.scale >= GRID_FROM) drawLines(context, drawing)
  if (view.scale >= NUMBERS_FROM) drawNumbers(context, drawing)
  if (drawing.selected !== undefined && drawing.selected < grid.entries) drawRing(context, drawing)
}

function seen({ view: { x, y, scale }, size, grid }: Drawing) {
  return {
    left: Math.max(0, Math.floor(-x / scale)),
    right: Math.min(grid.columns, Math.ceil((size.width - x) / scale)),
    top: Math.max(0, Math.floor(-y / scale)),
    bottom: Math.min(grid.rows, Math.ceil((size.height - y) / scale)),
  }
}

function drawLines(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { view, colours } = drawing
  const { left, right, top, bottom } = seen(drawing)
  const [x, y] = [
    (column: number) => view.x + column * view.scale,
    (row: number) => view.y + row * view.scale,
  ]
  context.strokeStyle = colours.line
  context.lineWidth = 1
  context.beginPath()
  for (let column = left; column <= right; column++) {
    context.moveTo(x(column), y(top))
    context.lineTo(x(column), y(bottom))
  }
  for (let row = top; row <= bottom; row++) {
    context.moveTo(x(left), y(row))
    context.lineTo(x(right), y(row))
  }
  context.stroke()
}

function drawNumbers(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { view, grid, values, colours } = drawing
  const { left, right, top, bottom } = seen(drawing)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const index = row * grid.columns + column
      if (index >= grid.entries) continue
      const value = values[index] ?? 0
      const [x, y] = [view.x + (column + 0.5) * view.scale, view.y + (row + 0.5) * view.scale]
      context.fillStyle = value === 0 ? colours.ink : '#ffffff'
      context.font = `600 ${view.scale * 0.3}px system-ui, sans-serif`
      context.fillText(String(value), x, y - view.scale * 0.1)
      context.font = `${view.scale * 0.2}px system-ui, sans-serif`
      context.fillText(String(index), x, y + view.scale * 0.28)
    }
  }
}

/** The ring is visible on every colour and at every scale. */
function drawRing(context: CanvasRenderingContext2D, { view, grid, selected = 0, colours }: Drawing): void {
  const side = Math.max(view.scale + 2, 10)
  const x = view.x + ((selected % grid.columns) + 0.5) * view.scale - side / 2
  const y = view.y + (Math.floor(selected / grid.columns) + 0.5) * view.scale - side / 2
  context.strokeStyle = colours.halo
  context.lineWidth = 4
  context.strokeRect(x, y, side, side)
  context.strokeStyle = colours.ring
  context.lineWidth = 2
  context.strokeRect(x, y, side, side)
}
