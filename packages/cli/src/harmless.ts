/** What steers a terminal, ends a line, or changes the direction of what follows. */
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Text that callers chose must neither steer the terminal of whoever reads it, nor look like a row of its own. */
export const harmless = (text: string): string => text.replace(STEERING, '?')

/** JSON in one line, which says the same to programs and steers no terminal: `JSON.stringify` escapes the oldest controls alone. */
export const harmlessJson = (value: unknown): string => JSON.stringify(value).replace(STEERING, escaped)

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
