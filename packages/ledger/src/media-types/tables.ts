import { mediaType, type Test } from './media-type.js'

const [QUOTE, LINE_FEED, CARRIAGE_RETURN, HASH] = [0x22, 0x0a, 0x0d, 0x23]

/**
 * Comma-separated values (RFC 4180): two records or more, all with the same number of fields, and more than one. Lines that
 * begin with `#` are comments, empty ones are none, and a quote that is out of place is a character.
 */
const hasFields = (separator: string): Test => {
  const code = separator.charCodeAt(0)
  return function isTable(content) {
    if (!content.includes(code)) return false
    let [records, fields] = [0, 0]
    for (let place = nextRecord(content, 0); place < content.length;) {
      const record = readRecord(content, place, code)
      if (records > 0 && record.fields !== fields) return false
      ;[records, fields] = [records + 1, record.fields]
      place = nextRecord(content, record.end)
    }
    return records > 1 && fields > 1
  }
}

/** Behind comments and empty lines. */
function nextRecord(content: Buffer, start: number): number {
  let place = start
  while (place < content.length) {
    const end = endOfLine(content, place)
    const isEmpty = content[place] === LINE_FEED || isLineEnd(content, place)
    if (content[place] !== HASH && !isEmpty) return place
    place = end
  }
  return place
}

/** `\r` ends a line before `\n`, and as the last character. */
const isLineEnd = (content: Buffer, place: number) =>
  content[place] === CARRIAGE_RETURN && (content[place + 1] === LINE_FEED || place + 1 === content.length)

function endOfLine(content: Buffer, place: number): number {
  const found = content.indexOf(LINE_FEED, place)
  return found < 0 ? content.length : found + 1
}

function readRecord(content: Buffer, start: number, separator: number): { fields: number; end: number } {
  let [place, line] = [start, endOfLine(content, start)]
  for (let fields = 1; ; fields++) {
    const isQuoted = content[place] === QUOTE
    const end = isQuoted
      ? endOfQuoted(content, place + 1, separator)
      : endOfBare(content, place, { separator, line })
    // Quotes may hold ends of lines.
    if (isQuoted && end >= line) line = endOfLine(content, end)
    if (end >= line || content[end] !== separator) return { fields, end: line }
    place = end + 1
  }
}

/** Up to a separator or the end of the line. */
function endOfBare(
  content: Buffer,
  start: number,
  { separator, line }: { separator: number; line: number },
): number {
  let end = start
  while (end < line && content[end] !== separator) end++
  return end
}

/** Over the ends of lines, up to a quote that a separator or the end of a line follows. */
function endOfQuoted(content: Buffer, start: number, separator: number): number {
  let place = content.indexOf(QUOTE, start)
  while (place >= 0) {
    const next = place + 1
    if (content[next] === separator || content[next] === LINE_FEED || isLineEnd(content, next)) return next
    if (next >= content.length) return next
    place = content.indexOf(QUOTE, content[next] === QUOTE ? next + 1 : next)
  }
  return content.length
}

export const CSV = mediaType('text/csv', hasFields(','))
export const TSV = mediaType('text/tab-separated-values', hasFields('\t'))
