/** As deep as `encoding/json` of Go reads, and the detection of media types after it. */
const MOST_LEVELS = 10_000

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]

const [ZERO, NINE, MINUS, PLUS, POINT, SMALL_E, CAPITAL_E] = [0x30, 0x39, 0x2d, 0x2b, 0x2e, 0x65, 0x45]

const WORDS = ['true', 'false', 'null']
const ESCAPED = new Set([...'"\\/bfnrt'].map((letter) => letter.charCodeAt(0)))

/** A member of an object: its name, and the bytes of its value. */
export interface JsonMember {
  name: string
  value: Buffer
}

/** The place of the first character that is not JSON white space. */
export function skipSpace(bytes: Uint8Array, at: number): number {
  let next = at
  while (bytes[next] === 0x20 || (bytes[next] ?? 0) === 0x09 || bytes[next] === 0x0a || bytes[next] === 0x0d)
    next++
  return next
}

/**
 * Finds the end of one JSON value (RFC 8259), whose texts may be any bytes. Nothing is built of it, and duplicate
 * members are not recorded: for that see {@link scanMembers}.
 *
 * @returns the place after it; `-1` if there is none, or one of more than 10,000 levels
 */
export function endOfJson(bytes: Buffer, at: number): number {
  const open: number[] = []
  let next = at
  for (;;) {
    next = skipSpace(bytes, next)
    const opener = bytes[next]
    if (opener === OPEN_OBJECT || opener === OPEN_ARRAY) {
      const closer = opener === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY
      if (open.push(closer) > MOST_LEVELS) return -1
      next = skipSpace(bytes, next + 1)
      if (bytes[next] !== closer) {
        if (closer === CLOSE_OBJECT) next = endOfName(bytes, next)
        if (next < 0) return -1
        continue
      }
    } else next = endOfScalar(bytes, next)
    if (next < 0) return -1
    const follows = endOfEnds(bytes, next, open)
    if (open.length === 0 || follows < 0) return follows
    next = follows
  }
}

/** After a value, or at the end of a container: closing signs, up to where the next value must be. */
function endOfEnds(bytes: Buffer, at: number, open: number[]): number {
  let next = at
  // For an empty container the place of its closing sign, for every other value the place after it.
  while (open.length > 0) {
    next = skipSpace(bytes, next)
    const closer = open.at(-1)
    if (bytes[next] === closer) {
      open.pop()
      next++
    } else if (bytes[next] === COMMA) {
      const place = skipSpace(bytes, next + 1)
      return closer === CLOSE_OBJECT ? endOfName(bytes, place) : place
    } else return -1
  }
  return next
}

/** A name and its colon. */
function endOfName(bytes: Buffer, at: number): number {
  const end = skipSpace(bytes, endOfText(bytes, at))
  return end >= 0 && bytes[end] === COLON ? end + 1 : -1
}

function endOfScalar(bytes: Buffer, at: number): number {
  if (bytes[at] === QUOTE) return endOfText(bytes, at)
  const word = WORDS.find((one) => bytes[at] === one.charCodeAt(0))
  if (word === undefined) return endOfNumber(bytes, at)
  return bytes.toString('latin1', at, at + word.length) === word ? at + word.length : -1
}

function endOfNumber(bytes: Buffer, at: number): number {
  const start = bytes[at] === MINUS ? at + 1 : at
  const whole = bytes[start] === ZERO ? start + 1 : endOfDigits(bytes, start)
  if (whole === start) return -1
  const point = bytes[whole] === POINT ? endOfDigits(bytes, whole + 1) : whole
  if (point === whole + 1) return -1
  if (bytes[point] !== SMALL_E && bytes[point] !== CAPITAL_E) return point
  const sign = bytes[point + 1] === MINUS || bytes[point + 1] === PLUS ? point + 2 : point + 1
  const end = endOfDigits(bytes, sign)
  return end === sign ? -1 : end
}

function endOfDigits(bytes: Buffer, at: number): number {
  let end = at
  while ((bytes[end] ?? 0) >= ZERO && (bytes[end] ?? 0) <= NINE) end++
  return end
}

function endOfText(bytes: Buffer, at: number): number {
  if (bytes[at] !== QUOTE) return -1
  for (let next = at + 1; next < bytes.length; next++) {
    const byte = bytes[next] ?? 0
    if (byte === QUOTE) return next + 1
    if (byte < 0x20) return -1
    if (byte !== BACKSLASH) continue
    next++
    const escape = bytes[next] ?? 0
    if (escape === 0x75) {
      if (!/^[0-9a-fA-F]{4}$/.test(bytes.toString('latin1', next + 1, next + 5))) return -1
      next += 4
    } else if (!ESCAPED.has(escape)) return -1
  }
  return -1
}

/** Every member of an object in order, including duplicates; `undefined` if there is no valid object. */
export function scanMembers(bytes: Buffer, at = 0): { members: JsonMember[]; end: number } | undefined {
  const start = skipSpace(bytes, at)
  const end = endOfJson(bytes, start)
  if (bytes[start] !== OPEN_OBJECT || end < 0) return undefined
  const members: JsonMember[] = []
  let next = skipSpace(bytes, start + 1)
  while (bytes[next] !== CLOSE_OBJECT) {
    const nameEnd = endOfText(bytes, next)
    const name = decodeText(bytes.subarray(next, nameEnd))
    const valueStart = skipSpace(bytes, endOfName(bytes, next))
    const valueEnd = endOfJson(bytes, valueStart)
    members.push({ name, value: bytes.subarray(valueStart, valueEnd) })
    next = skipSpace(bytes, valueEnd)
    if (bytes[next] === COMMA) next = skipSpace(bytes, next + 1)
  }
  return { members, end }
}

/** The string value of a valid JSON text. */
export const decodeText = (value: Buffer): string => JSON.parse(value.toString('utf8')) as string

/** Whether the value is a text. */
export const isText = (value: Buffer): boolean => value[0] === QUOTE
