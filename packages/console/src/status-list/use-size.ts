import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Size } from './bitmap-view.js'

/** How much room an element has, also after the window changed. */
export function useSize(element: RefObject<HTMLElement>): Size {
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
export function useColourScheme(): 'dark' | 'light' {
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
