const SIMPLE_ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '\\': 92,
  "'": 39,
  '"': 34,
}
/** The number of digits after `\x`, `\u` and `\U`. */
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 }

/**
 * The value of a quoted text in the language of cheqd-node (The Go Programming Language Specification, "String
 * literals" and "Rune literals"): in double quotes, in back quotes, or at most one character in single ones. Its
 * escapes differ from those of JSON.
 *
 * @returns the bytes, which need not be UTF-8; `undefined` if it is not one
 */
export function unquoteText(text: string): Buffer | undefined {
  const quote = text[0]
  if (text.length < 2 || quote === undefined || !'"\'`'.includes(quote) || !text.endsWith(quote))
    return undefined
  const inner = text.slice(1, -1)
  if (quote === '`') return inner.includes('`') ? undefined : Buffer.from(inner.replaceAll('\r', ''))
  if (inner.includes('\n')) return undefined
  const pieces = readPieces(inner, quote)
  return pieces && (quote === '"' || pieces.length < 2) ? Buffer.concat(pieces) : undefined
}

/** One for each character. */
function readPieces(inner: string, quote: string): Buffer[] | undefined {
  const pieces: Buffer[] = []
  for (let at = 0; at < inner.length;) {
    const character = String.fromCodePoint(inner.codePointAt(at) ?? 0)
    if (character === quote) return undefined
    const piece =
      character === '\\'
        ? readEscape(inner, at + 1, quote)
        : { bytes: Buffer.from(character), end: at + character.length }
    if (!piece) return undefined
    pieces.push(piece.bytes)
    at = piece.end
  }
  return pieces
}

function readEscape(inner: string, at: number, quote: string): { bytes: Buffer; end: number } | undefined {
  const letter = inner[at] ?? ''
  const simple = SIMPLE_ESCAPES[letter]
  if (simple !== undefined) {
    const isOtherQuote = `'"`.includes(letter) && letter !== quote
    return isOtherQuote ? undefined : { bytes: Buffer.of(simple), end: at + 1 }
  }
  const octal = /^[0-7]{3}/.exec(inner.slice(at, at + 3))?.[0]
  if (octal !== undefined) return oneByte(Number.parseInt(octal, 8), at + 3)
  const digits = HEX_DIGITS[letter]
  const hex = digits === undefined ? '' : inner.slice(at + 1, at + 1 + digits)
  if (hex.length !== digits || !/^[0-9a-fA-F]+$/.test(hex)) return undefined
  const value = Number.parseInt(hex, 16)
  const end = at + 1 + digits
  return digits === 2 ? oneByte(value, end) : oneCharacter(value, end)
}

const oneByte = (value: number, end: number) => (value > 0xff ? undefined : { bytes: Buffer.of(value), end })

/** Halves of a surrogate pair are invalid by themselves, and two of them are not a character either. */
const oneCharacter = (value: number, end: number) =>
  value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)
    ? undefined
    : { bytes: Buffer.from(String.fromCodePoint(value)), end }
