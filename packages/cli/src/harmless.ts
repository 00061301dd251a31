/** Characters that control a terminal, end a line, or change the direction of the following text. */
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Text chosen by callers must neither control the reader's terminal, nor look like a separate row. */
export const harmless = (text: string): string => text.replace(STEERING, '?')

/**
 * JSON, in one line unless indented, with the same meaning for programs, that cannot control a terminal: `JSON.stringify` only escapes
 * the oldest control characters.
 */
export const harmlessJson = (value: unknown, indentation?: number): string =>
  JSON.stringify(value, undefined, indentation).replace(STEERING, (character) =>
    // A line end within a text is escaped already.
    character === '\n' ? character : escaped(character),
  )

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')
