import type { RefObject } from 'preact'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { ActionButton } from '../parts/action-button.js'
import { useSession } from '../session.js'
import { draw } from './bitmap-drawing.js'
import { pixelLevels } from './bitmap-pixels.js'
import { usePointer } from './bitmap-pointer.js'
import {
  bitmapGrid,
  fitted,
  type Grid,
  panned,
  revealing,
  type Size,
  type View,
  zoomed,
} from './bitmap-view.js'
import { type DecodedList, nextSet } from './decoded-list.js'
import { entryMeaning } from './entry-meaning.js'
import { layoutPalette } from './tones.js'

interface BitmapProps {
  list: DecodedList
  selected: number | undefined
  onSelect: (index: number) => void
}

const ZOOM_STEP = 1.6

/** All entries of a list as cells: to zoom into and pan with pointer, touch and keyboard. */
export function Bitmap({ list, selected, onSelect }: BitmapProps) {
  const { values, layout } = list
  const { announce } = useSession()
  const help = useId()
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const size = useSize(frame)
  const scheme = useColourScheme()
  const grid = useMemo(() => bitmapGrid(values.length), [values.length])
  const [moved, setMoved] = useState<View>()
  const view = moved ? panned(moved, 0, 0, grid, size) : fitted(grid, size)
  const isUnset = useMemo(() => nextSet(values, 0, 1) === undefined, [values])
  const levels = useMemo(
    () => (canvas.current ? pixelLevels(values, grid, layoutPalette(layout, canvas.current)) : []),
    [values, grid, layout, scheme, size.width > 0],
  )
  useEffect(() => {
    if (!canvas.current || size.width === 0) return
    const style = getComputedStyle(canvas.current)
    const colour = (name: string) => style.getPropertyValue(name).trim()
    const colours = {
      line: colour('--cell-line'),
      ink: colour('--soft'),
      ring: colour('--accent'),
      halo: colour('--card'),
    }
    draw(canvas.current, { grid, view, size, levels, values, selected, colours })
  })
  const go = (index: number) => {
    onSelect(index)
    setMoved(revealing(view, index, grid, size))
    announce(`Index ${index}: ${entryMeaning(layout, values[index] ?? 0).text}`)
  }
  const zoom = (factor: number) => setMoved(zoomed(view, factor, middleOf(size), grid, size))
  useReveal(selected, () => selected !== undefined && setMoved(revealing(view, selected, grid, size)))
  usePointer(canvas, { view, grid, size, onView: setMoved, onSelect: go })
  const keys = keyActions({ go, zoom, fit: () => setMoved(undefined), grid, values, selected: selected ?? 0 })
  return (
    <div class="bitmap">
      <Tools
        zoom={zoom}
        fit={() => setMoved(undefined)}
        next={() => keys.n?.(1)}
        isUnset={isUnset}
        scale={view.scale}
      />
      <div class="bitmap-frame" ref={frame}>
        <canvas
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-label={`Bitmap of ${values.length.toLocaleString('en')} entries`}
          aria-describedby={help}
          onKeyDown={(event) => {
            const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
            if (!act) return
            event.preventDefault()
            act(event.shiftKey ? 10 : 1)
          }}
        />
      </div>
      <p class="hint" id={help}>
        Click an entry, or move with the arrow keys (with Shift by ten); + and − zoom, 0 shows all, N and P go
        to the next and the previous entry that is set. Wheel, pinch and dragging work as on a map.
      </p>
    </div>
  )
}

/** Shows an entry that was chosen elsewhere, by its number or in the history. */
function useReveal(selected: number | undefined, reveal: () => void) {
  const shown = useRef<number>()
  useEffect(() => {
    if (selected !== undefined && selected !== shown.current) reveal()
    shown.current = selected
  }, [selected])
}

function Tools({
  zoom,
  fit,
  next,
  isUnset,
  scale,
}: {
  zoom: (factor: number) => void
  fit: () => void
  next: () => void
  /** there is none */
  isUnset: boolean
  scale: number
}) {
  return (
    <div class="row tools" role="toolbar" aria-label="Bitmap">
      <button type="button" onClick={() => zoom(ZOOM_STEP)} aria-label="Zoom in">
        +
      </button>
      <button type="button" onClick={() => zoom(1 / ZOOM_STEP)} aria-label="Zoom out">
        −
      </button>
      <button type="button" onClick={fit}>
        All
      </button>
      <ActionButton whyNot={isUnset ? 'No entry is set.' : undefined} onClick={next}>
        Next set
      </ActionButton>
      <span class="hint" data-scale={scale.toFixed(4)}>
        {scale >= 1 ? `${scale.toFixed(1)} px per entry` : `${(1 / scale).toFixed(1)} entries per px`}
      </span>
    </div>
  )
}

const middleOf = ({ width, height }: Size) => ({ x: width / 2, y: height / 2 })

function keyActions({
  go,
  zoom,
  fit,
  grid,
  values,
  selected,
}: {
  go: (index: number) => void
  zoom: (factor: number) => void
  fit: () => void
  grid: Grid
  values: Uint8Array
  selected: number
}): Partial<Record<string, (times: number) => void>> {
  const by = (step: number) => (times: number) =>
    go(Math.min(grid.entries - 1, Math.max(0, selected + step * times)))
  const set = (step: 1 | -1) => () => {
    const index = nextSet(values, selected, step)
    if (index !== undefined) go(index)
  }
  return {
    ArrowLeft: by(-1),
    ArrowRight: by(1),
    ArrowUp: by(-grid.columns),
    ArrowDown: by(grid.columns),
    PageUp: by(-grid.columns * 16),
    PageDown: by(grid.columns * 16),
    Home: () => go(0),
    End: () => go(grid.entries - 1),
    '+': () => zoom(ZOOM_STEP),
    '=': () => zoom(ZOOM_STEP),
    '-': () => zoom(1 / ZOOM_STEP),
    '0': fit,
    n: set(1),
    N: set(1),
    p: set(-1),
    P: set(-1),
    Enter: () => go(selected),
  }
}

/** The size of an element, updated when the window changes. */
function useSize(element: RefObject<HTMLElement>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useEffect(() => {
    const { current } = element
    if (!current) return
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [])
  return size
}

/** Changes whenever the colours do. */
function useColourScheme(): 'dark' | 'light' {
  const [dark, setDark] = useState(() => query().matches)
  useEffect(() => {
    const media = query()
    const follow = () => setDark(media.matches)
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [])
  return dark ? 'dark' : 'light'
}

const query = () => window.matchMedia('(prefers-color-scheme: dark)')
