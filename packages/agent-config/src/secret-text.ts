/** A part of a text, `end` exclusive. */
export interface TextRange {
  start: number
  end: number
}

export const MASK = '***'

const SECRET_WORDS =
  /secret|passw(or)?d|passphrase|apikey|privatekey|encryptionkey|mnemonic|seedphrase|token|credentials$/

/** Whether values under this key are likely to be secret: `secret`, `dbPassword`, `api_key`, `privateKeyHex`, ... */
export const looksSecret = (key: string): boolean =>
  SECRET_WORDS.test(key.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))

// What is secret by its look, whatever the key: long hex and base64url texts, and passwords in URLs.
const SECRET_SHAPES = [
  /(?<![A-Za-z0-9])(?:0x)?[0-9a-fA-F]{32,}(?![A-Za-z0-9])/g,
  /[A-Za-z0-9+_-]{40,}={0,2}/g,
  /(?<=:\/\/[^\s/@:]*:)[^\s@]+(?=@)/g,
]

/** The parts of a line that look secret by their shape alone. */
export const secretShapes = (line: string): TextRange[] =>
  SECRET_SHAPES.flatMap((shape) =>
    [...line.matchAll(shape)].map((match) => ({ start: match.index, end: match.index + match[0].length })),
  )

/**
 * The value in a line that has a key that looks secret. For files that are no valid YAML, where nobody can tell
 * where a value ends: everything up to the end of the line.
 */
export function secretMember(line: string): TextRange | undefined {
  for (const match of line.matchAll(/([\w$-]+)["']?[ \t]*:[ \t]*(?=\S)/g)) {
    if (match[1] !== undefined && looksSecret(match[1])) {
      return { start: match.index + match[0].length, end: line.length }
    }
  }
  return undefined
}

/**
 * Masks parts of a line and tells where the caret moves.
 *
 * @param caret - index into the line
 */
export function maskLine(
  line: string,
  hidden: readonly TextRange[],
  caret: number,
): { text: string; caret: number } {
  let text = ''
  let at = 0
  let moved: number | undefined
  for (const { start, end } of [...hidden].sort((a, b) => a.start - b.start)) {
    if (end <= at || end <= start) continue
    if (start >= at) {
      if (moved === undefined && caret < start) moved = text.length + caret - at
      text += line.slice(at, start)
      if (moved === undefined && caret < end) moved = text.length
      text += MASK
    }
    at = end
  }
  moved ??= text.length + Math.max(0, caret - at)
  return { text: text + line.slice(at), caret: moved }
}

/** Takes values that must not be shown out of texts that others wrote. */
export class Redaction {
  readonly #values = new Set<string>()

  add(value: string): void {
    // One or two characters tell nothing, but would tear holes into every sentence.
    if (value.trim().length >= 3) this.#values.add(value)
  }

  apply(text: string): string {
    let result = text
    for (const value of [...this.#values].sort((a, b) => b.length - a.length)) {
      result = result.replaceAll(pattern(value), MASK)
    }
    return result
  }
}

// Long values are hidden wherever they appear; a short one, such as `info`, only as a word of its own.
function pattern(value: string): RegExp {
  const escaped = value.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return value.length >= 8
    ? new RegExp(escaped, 'g')
    : new RegExp(`(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])`, 'g')
}
