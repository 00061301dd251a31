import { BOUNDS } from './bounds.js'

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * `JSON.parse` for an external text, which limits nesting: code that processes the value may recurse on each level.
 *
 * @param json - bytes must be UTF-8, without a byte order mark
 * @throws SyntaxError if it is not JSON, or is nested too deeply; TypeError if the bytes are not UTF-8
 */
export function parseForeignJson(json: string | Uint8Array): unknown {
  const text = typeof json === 'string' ? json : UTF8.decode(json)
  if (isTooDeep(text)) throw new SyntaxError(`JSON of more than ${BOUNDS.jsonLevels} levels`)
  return JSON.parse(text) as unknown
}

/** Whether a JSON value is an object, not a list. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** For a text that is not JSON, any result will do: the parser detects that. */
function isTooDeep(text: string): boolean {
  let level = 0
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === '[' || character === '{') level += 1
    else if (character === ']' || character === '}') level -= 1
    if (level > BOUNDS.jsonLevels) return true
  }
  return false
}

/** The end of the string that begins here; strings may be megabytes long. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
