import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { indexAt, panned, zoomed, type Grid, type Size, type View } from './bitmap-view.js'

interface Handlers {
  view: View
  grid: Grid
  size: Size
  onView: (view: View) => void
  onSelect: (index: number) => void
}

interface Point {
  x: number
  y: number
}

/** Further than this it is a drag and no click. */
const CLICK_PX = 4
const WHEEL_STEP = 0.0016

/** Click, drag, wheel and pinch. */
export function usePointer(canvas: RefObject<HTMLCanvasElement>, handlers: Handlers): void {
  // Listeners stay; they always read the current state.
  const now = useRef(handlers)
  now.current = handlers
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const gestures = new Gestures(element, () => now.current)
    const stop = new AbortController()
    const { signal } = stop
    element.addEventListener('pointerdown', (event) => gestures.down(event), { signal })
    element.addEventListener('pointermove', (event) => gestures.move(event), { signal })
    element.addEventListener('pointerup', (event) => gestures.up(event), { signal })
    element.addEventListener('pointercancel', (event) => gestures.cancel(event), { signal })
    element.addEventListener('wheel', (event) => gestures.wheel(event), { signal, passive: false })
    return () => stop.abort()
  }, [])
}

class Gestures {
  private readonly pointers = new Map<number, Point>()
  private travelled = 0

  constructor(
    private readonly element: HTMLCanvasElement,
    private readonly now: () => Handlers,
  ) {}

  down(event: PointerEvent): void {
    this.element.setPointerCapture(event.pointerId)
    this.pointers.set(event.pointerId, this.pointOf(event))
    if (this.pointers.size === 1) this.travelled = 0
  }

  move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId)
    if (!before) return
    const point = this.pointOf(event)
    const { view, grid, size, onView } = this.now()
    const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at)
    this.travelled += distance(before, point)
    this.pointers.set(event.pointerId, point)
    if (other) {
      const middle = { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 }
      onView(zoomed(view, distance(point, other) / Math.max(1, distance(before, other)), middle, grid, size))
    } else if (this.travelled > CLICK_PX) {
      onView(panned(view, point.x - before.x, point.y - before.y, grid, size))
    }
  }

  up(event: PointerEvent): void {
    const alone = this.pointers.size === 1
    this.cancel(event)
    if (!alone || this.travelled > CLICK_PX) return
    const { view, grid, onSelect } = this.now()
    const { x, y } = this.pointOf(event)
    const index = indexAt(view, x, y, grid)
    if (index !== undefined) onSelect(index)
  }

  cancel({ pointerId }: PointerEvent): void {
    this.pointers.delete(pointerId)
  }

  wheel(event: WheelEvent): void {
    event.preventDefault()
    const { view, grid, size, onView } = this.now()
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
    onView(zoomed(view, Math.exp(-event.deltaY * lines * WHEEL_STEP), this.pointOf(event), grid, size))
  }

  private pointOf({ clientX, clientY }: MouseEvent): Point {
    const { left, top } = this.element.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
}

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y)
