import { isAscii, isUtf8 } from 'node:buffer'
import { asBuffer } from '@vidimus/core-types'
import { endOfJson, skipSpace } from './json-scanner.js'

const BRANDS = { avif: 'avi[fs]', heic: 'hei[cx]', 'heic-sequence': 'hev[cx]', heif: 'mif1|hei[ms]|avic' }
const isoMedia = (brands: string) => new RegExp(`^\\0.{3}ftyp(?:${brands})`, 's')
const jpeg2000 = (brand: string) => new RegExp(`^.{4}jP(?:  |2 ).{12}${brand} `, 's')

/* eslint-disable no-control-regex -- files begin with them */
/** In the order of the ledger's checks, which decides if several match; bytes are letters of ISO 8859-1. */
const SIGNATURES: readonly (readonly [mediaType: string, start: RegExp])[] = [
  ['image/x-xpixmap', /^\/\* XPM \*\//],
  ['application/zip', /^PK[\x03\x05\x07][\x04\x06\x08]/],
  ['application/pdf', /^(?:\n|\xef\xbb\xbf)?%PDF-/],
  ['image/vnd.adobe.photoshop', /^8BPS/],
  ['image/vnd.mozilla.apng', /^\x89PNG\r\n\x1a\n.{29}acTL/s],
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/jxl', /^(?:\xff\n|\0\0\0\x0cJXL \r\n\x87\n)/],
  ['image/jp2', jpeg2000('jp2')],
  ['image/jpx', jpeg2000('jpx')],
  ['image/jpm', jpeg2000('jpm')],
  ['image/jxs', /^\0\0\0\x0cJXS \r\n\x87\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP./s],
  ['image/tiff', /^(?:II\*\0|MM\0\*)/],
  ['image/bmp', /^BM/],
  ['image/x-icon', /^\0\0[\x01\x02]\0/],
  ...Object.entries(BRANDS).map(([name, brands]) => [`image/${name}`, isoMedia(brands)] as const),
  ['image/heif-sequence', isoMedia('msf1|hev[ms]|avcs')],
  ['application/gzip', /^\x1f\x8b/],
  ['image/vnd.djvu', /^AT&TFORM.{4}(?:DJV[MUI]|THUM)/s],
  ['image/bpg', /^BPG\xfb/],
  ['application/cbor', /^\xd9\xd9\xf7/],
  ['image/vnd.dwg', /^AC(?:1\.[45]0|2\.10|10(?:0[23469]|1[2458]|2[14]|32))/],
  ['image/x-icns', /^icns/],
  ['image/vnd.radiance', /^#\?RADIANCE\n/],
  ['image/x-xcf', /^gimp xcf/],
  ['image/x-gimp-pat', /^.{20}GPAT/s],
  ['image/x-gimp-gbr', /^.{20}GIMP/s],
  ['image/jxr', /^II\xbc\x01/],
]
/* eslint-enable no-control-regex */
const LONGEST_SIGNATURE = 64

const MARKS: readonly (readonly [charset: string, mark: RegExp])[] = [
  ['utf-8', /^\xef\xbb\xbf/],
  ['utf-32be', /^\0\0\xfe\xff/],
  ['utf-32le', /^\xff\xfe\0\0/],
  ['utf-16be', /^\xfe\xff/],
  ['utf-16le', /^\xff\xfe/],
]

/** Bytes that no text has (WHATWG MIME Sniffing, "binary data byte"). */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const BINARY = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/

const HTML =
  /^(?:\xef\xbb\xbf)?[\t\n\f\r ]*<(?:!DOCTYPE HTML|HTML|HEAD|SCRIPT|IFRAME|H1|DIV|FONT|TABLE|A|STYLE|TITLE|B|BODY|BR|P)[ >]/i
const XML = /^(?:\xef\xbb\xbf)?[\t\n\f\r ]*<\?XML[ >]/i
/** Scripts, lines of JSON and RTF, which the ledger looks for before tables. */
const NO_TABLE = /^(?:#!|<\?|[\t\n\f\r ]*[{[])/

const GEOMETRY =
  /^[\t\n\f\r ]*:[\t\n\f\r ]*"(?:Feature(?:Collection)?|(?:Multi)?(?:Point|LineString|Polygon)|GeometryCollection)"/

/**
 * The media type of a resource, found in its content as the ledger finds it. It decides about the fee: JSON, images,
 * anything else. Of the rest only common types have a name here; every other one is plain text or unknown bytes.
 */
export function detectMediaType(data: Uint8Array): string {
  const content = asBuffer(data)
  const head = content.toString('latin1', 0, LONGEST_SIGNATURE)
  const signed = SIGNATURES.find(([, signature]) => signature.test(head))
  if (signed) return signed[0]
  const text = content.toString('latin1')
  const marked = MARKS.find(([, mark]) => mark.test(head))?.[0]
  if (marked === undefined && BINARY.test(text)) return 'application/octet-stream'
  if (HTML.test(text)) return 'text/html'
  if (text.includes('<svg')) return 'image/svg+xml'
  if (XML.test(text)) return 'text/xml'
  if (isJson(content)) {
    if (!isGeoJson(text)) return 'application/json'
  } else if (!NO_TABLE.test(text) && isCsv(text)) return 'text/csv'
  const charset = marked ?? charsetOf(content, text)
  return charset === '' ? 'text/plain' : `text/plain; charset=${charset}`
}

/** One array or object; the ledger takes a form feed before it for white space. */
function isJson(content: Buffer): boolean {
  let start = 0
  while (/[\t\n\f\r ]/.test(String.fromCharCode(content[start] ?? 0))) start++
  if (content[start] !== 0x5b && content[start] !== 0x7b) return false
  const end = endOfJson(content, start)
  return end >= 0 && skipSpace(content, end) === content.length
}

/** RFC 7946, whose fee is not that of JSON: by the first `"type"`, anywhere in an object. */
function isGeoJson(text: string): boolean {
  const name = '"type"'
  const place = text.indexOf(name)
  return /^[\t\n\f\r ]*\{/.test(text) && place >= 0 && GEOMETRY.test(text.slice(place + name.length))
}

/** A field and what ends it. A quote that is out of place is a character. */
const FIELD = /(?:"(?:[^"]+|""|"(?!,|\r?\n|\r?$))*(?:"|$)|[^,\n]*)(,|\r?\n|\r?$)/y
/** Comments and empty lines. */
const NO_RECORD = /(?:#[^\n]*(?:\n|$)|\r?\n|\r$)*/y

/** RFC 4180: at least two records, all with the same number of fields, and more than one. */
function isCsv(text: string): boolean {
  if (!text.includes(',')) return false
  let [records, fields] = [0, 0]
  for (let place = endOf(NO_RECORD, text, 0); place < text.length;) {
    let [count, separator] = [0, ',']
    for (; separator === ','; count++) {
      FIELD.lastIndex = place
      separator = FIELD.exec(text)?.[1] ?? ''
      place = FIELD.lastIndex
    }
    if (records > 0 && count !== fields) return false
    ;[records, fields] = [records + 1, count]
    place = endOf(NO_RECORD, text, place)
  }
  return records > 1 && fields > 1
}

function endOf(sticky: RegExp, text: string, place: number): number {
  sticky.lastIndex = place
  sticky.test(text)
  return sticky.lastIndex
}

/** Of ISO 8859 and the controls that texts have, the next line (0x85) of C1 among them. */
// eslint-disable-next-line no-control-regex -- these are what no text has
const FOREIGN = /[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]/

/** The charset of a text without a byte order mark; `''` if it is unknown. */
function charsetOf(content: Buffer, text: string): string {
  if (text === '') return ''
  const whole = withoutLastCharacter(content)
  if (!isAscii(whole) && isUtf8(whole)) return 'utf-8'
  if (FOREIGN.test(text)) return ''
  if (!/[\xa0-\xff]/.test(text)) return 'utf-8'
  return text.includes('\x85') ? 'windows-1252' : 'iso-8859-1'
}

/** The ledger ignores the last character, which may have been cut. */
function withoutLastCharacter(content: Buffer): Buffer {
  for (let place = content.length - 1; place >= 0 && place > content.length - 4; place--) {
    const byte = content[place] ?? 0
    if (byte < 0x80) return content
    if ((byte & 0xc0) !== 0x80) return content.subarray(0, place)
  }
  return content
}
