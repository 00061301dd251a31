import { charsetOfMark } from './charset.js'
import { JSON_LINES, JSON_TEXT } from './json-types.js'
import { HTML, SCRIPTS, startsInAnyCase, SVG, TCL, XML } from './markup.js'
import { mediaType, starts, type Test } from './media-type.js'
import { SUB_RIP, WEB_VTT_TEXT } from './subtitles.js'
import { CSV, TSV } from './tables.js'

/** Bytes that no text has (WHATWG MIME Sniffing, "binary data byte"). */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const BINARY = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/

const isText: Test = (content) => charsetOfMark(content) !== '' || !BINARY.test(content.toString('latin1'))

export const TEXT = mediaType(
  'text/plain',
  isText,
  HTML,
  SVG,
  XML,
  ...SCRIPTS,
  JSON_TEXT,
  JSON_LINES,
  mediaType('text/rtf', starts('{\\rtf')),
  SUB_RIP,
  TCL,
  CSV,
  TSV,
  mediaType('text/vcard', startsInAnyCase('BEGIN:VCARD\n', 'BEGIN:VCARD\r\n')),
  mediaType('text/calendar', startsInAnyCase('BEGIN:VCALENDAR\n', 'BEGIN:VCALENDAR\r\n')),
  mediaType('application/warc', starts('WARC/1.0', 'WARC/1.1')),
  WEB_VTT_TEXT,
)
