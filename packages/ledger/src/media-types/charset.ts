import { isAscii, isUtf8 } from 'node:buffer'

const MARKS: readonly (readonly [charset: string, mark: string])[] = [
  ['utf-8', '\xef\xbb\xbf'],
  ['utf-32be', '\0\0\xfe\xff'],
  ['utf-32le', '\xff\xfe\0\0'],
  ['utf-16be', '\xfe\xff'],
  ['utf-16le', '\xff\xfe'],
]

/** Of ASCII, and of no text. */
const DELETE = 0x7f

/** By the byte order mark; `''` if there is none. */
export function charsetOfMark(content: Buffer): string {
  const start = content.toString('latin1', 0, 4)
  return MARKS.find(([, mark]) => start.startsWith(mark))?.[0] ?? ''
}

/** The charset of a plain text; `''` if it is unknown. */
export function charsetOfText(content: Buffer): string {
  if (content.length === 0) return ''
  const marked = charsetOfMark(content)
  if (marked !== '') return marked
  const whole = withoutLastCharacter(content)
  if (!isAscii(whole) && isUtf8(whole)) return 'utf-8'
  return charsetOfBytes(content)
}

/** One that may have been cut, which a whole one is taken for as well. */
function withoutLastCharacter(content: Buffer): Buffer {
  for (let place = content.length - 1; place >= 0 && place > content.length - 4; place--) {
    const byte = content[place] ?? 0
    if (byte < 0x80) return content
    if ((byte & 0xc0) !== 0x80) return content.subarray(0, place)
  }
  return content
}

/** Of ISO 8859 and the controls that texts have, the next line (0x85) of C1 among them. */
// eslint-disable-next-line no-control-regex -- these are what no text has
const FOREIGN = /[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]/

/** @param content - of a text, so that most controls are not in it */
function charsetOfBytes(content: Buffer): string {
  if (isAscii(content)) return content.includes(DELETE) ? '' : 'utf-8'
  const text = content.toString('latin1')
  if (FOREIGN.test(text)) return ''
  if (!/[\xa0-\xff]/.test(text)) return 'utf-8'
  return text.includes('\x85') ? 'windows-1252' : 'iso-8859-1'
}

/** As `Content-Type` has it (RFC 2045, RFC 2231). */
export function withCharset(mediaType: string, charset: string): string {
  if (charset === '') return mediaType
  if (/[^\t\x20-\x7e]/.test(charset)) return `${mediaType}; charset*=utf-8''${percentEncoded(charset)}`
  if (/^[^\s"(),/:;<=>?@[\\\]]+$/.test(charset)) return `${mediaType}; charset=${charset}`
  return `${mediaType}; charset="${charset.replace(/["\\]/g, String.raw`\$&`)}"`
}

const percentEncoded = (text: string) =>
  [...Buffer.from(text, 'latin1')]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[!#$&+\-.^_`{|}~0-9A-Za-z]/.test(character)
        ? character
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
