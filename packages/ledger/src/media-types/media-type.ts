/** A test of a whole content. */
export type Test = (content: Buffer) => boolean

/** A media type, how to detect it, and the types that are distinguished after that. */
export interface MediaType {
  name: string
  fits: Test
  kinds?: readonly MediaType[]
}

export const mediaType = (name: string, fits: Test, ...kinds: MediaType[]): MediaType => ({
  name,
  fits,
  kinds,
})

/** Whether bytes, written as ISO 8859-1 text, are at a place. */
export function standsAt(content: Buffer, place: number, bytes: Buffer): boolean {
  // Most differ in the first byte, which is looked at without leaving JavaScript.
  if (content[place] !== bytes[0]) return false
  const end = place + bytes.length
  return content.length >= end && content.compare(bytes, 0, bytes.length, place, end) === 0
}

/** One of these at a place. */
export function at(place: number, ...texts: string[]): Test {
  const signatures = texts.map((text) => Buffer.from(text, 'latin1'))
  return function standsThere(content) {
    return signatures.some((bytes) => standsAt(content, place, bytes))
  }
}

/** One of these at the beginning. */
export const starts = (...texts: string[]): Test => at(0, ...texts)

export const all = (...tests: Test[]): Test =>
  function passesAll(content) {
    return tests.every((test) => test(content))
  }

export const any = (...tests: Test[]): Test =>
  function passesAny(content) {
    return tests.some((test) => test(content))
  }

export const not = (test: Test): Test =>
  function fails(content) {
    return !test(content)
  }

/** More bytes than these. */
export const longerThan = (length: number): Test =>
  function isLonger(content) {
    return content.length > length
  }

/** A byte out of a range, both ends included. */
export const byteAt = (place: number, least: number, most = least): Test =>
  function hasByte(content) {
    const byte = content[place]
    return byte !== undefined && byte >= least && byte <= most
  }

/** White space of markup: that of JSON and the form feed. */
export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d

export function withoutLeadingSpace(content: Buffer): Buffer {
  let start = 0
  while (isSpace(content[start])) start++
  return content.subarray(start)
}

/** Lines without their ends, `\n` or `\r\n`; the text after the last end is only a line if it is not empty. */
export function* readLines(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length;) {
    const found = content.indexOf(0x0a, start)
    const end = found < 0 ? content.length : found
    yield content.subarray(start, content[end - 1] === 0x0d && end > start ? end - 1 : end)
    start = end + 1
  }
}
