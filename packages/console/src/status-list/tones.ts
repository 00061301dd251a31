import { entryMeaning, type Meaning } from './entry-meaning.js'
import type { ListLayout } from './list-content.js'
import type { Palette } from './bitmap-pixels.js'

/** How many colours there are for states of a list's own. */
export const OTHER_TONES = 6

/** The class of a value, which gives it its colour: `tone-revoked`, `tone-other-2`. */
export const toneClass = (tone: Meaning['tone'], value: number): string =>
  tone === 'other' ? `tone-other-${value % OTHER_TONES}` : `tone-${tone}`

/** The colours of all values of a list, as the style sheet has them now. */
export function layoutPalette(layout: ListLayout, element: Element): Palette {
  const style = getComputedStyle(element)
  return Array.from({ length: 2 ** layout.statusSize }, (_, value) => {
    const name = toneClass(entryMeaning(layout, value).tone, value)
    return parseColour(style.getPropertyValue(`--${name}`))
  })
}

/** `#rrggbb` */
function parseColour(text: string): [number, number, number] {
  const digits = /#([0-9a-f]{6})/i.exec(text)?.[1] ?? '808080'
  const part = (from: number) => Number.parseInt(digits.slice(from, from + 2), 16)
  return [part(0), part(2), part(4)]
}
