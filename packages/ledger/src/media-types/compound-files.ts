import { all, any, at, byteAt, longerThan, mediaType, standsAt, starts, type Test } from './media-type.js'

/** `00000000-0000-0000-C000-000000000046`, behind its first four bytes. */
const OF_OLE = '\0\0\0\0\xc0\0\0\0\0\0\0\x46'

/** The class of the root storage of a compound file ([MS-CFB]), if the directory is near enough. */
const ofClass =
  (...classes: string[]): Test =>
  (content) => {
    if (content.length < 512) return false
    const sector = at(26, '\x04\0')(content) ? 4096 : 512
    const place = sector * (1 + content.readUInt32LE(48)) + 80
    return (
      content.length > place + 16 &&
      classes.some((one) => standsAt(content, place, Buffer.from(one, 'latin1')))
    )
  }

/** The bytes after the header, if the directory is too far away. */
const behindHeader = (...texts: string[]): Test => all(longerThan(519), at(512, ...texts))

/** With a NUL behind each letter but the blank, as the ledger looks for it. */
const saysEarly =
  (text: string): Test =>
  (content) => {
    const wide = Buffer.from(
      text.replace(/[^ ](?!$)/g, (letter) => `${letter}\0`),
      'latin1',
    )
    return content.length > 1152 && content.subarray(1152, 4096).includes(wide)
  }

const isPowerPoint = any(
  ofClass(
    '\x10\x8d\x81\x64\x9b\x4f\xcf\x11\x86\xea\0\xaa\0\xb9\x29\xe8',
    '\x70\xae\x7b\xea\x3b\xfb\xcd\x11\xa9\x03\0\xaa\0\x51\x0e\xa3',
  ),
  behindHeader('\xa0\x46\x1d\xf0', '\0\x6e\x1e\xf0', '\x0f\0\xe8\x03'),
  all(behindHeader('\xfd\xff\xff\xff'), byteAt(518, 0), byteAt(519, 0)),
  saysEarly('PowerPoint Document'),
)

const isExcel = any(
  ofClass('\x10\x08\x02\0\0\0\0\0', '\x20\x08\x02\0\0\0\0\0'),
  behindHeader(
    '\x09\x08\x10\0\0\x06\x05\0',
    ...['\x10', '\x1f', '\x22', '\x23', '\x28', '\x29'].map((byte) => `\xfd\xff\xff\xff${byte}`),
  ),
  saysEarly('WksSSWorkBook'),
)

export const COMPOUND_FILE = mediaType(
  'application/x-ole-storage',
  starts('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
  mediaType('application/x-ms-installer', ofClass(`\x84\x10\x0c\0${OF_OLE}`)),
  // Advanced Authoring Format, for which the ledger has no name.
  mediaType('application/octet-stream', all(at(8, 'AAFB\r\0OM'), any(byteAt(30, 0x09), byteAt(30, 0x0c)))),
  mediaType('application/vnd.ms-outlook', ofClass(`\x0b\x0d\x02\0${OF_OLE}`)),
  mediaType('application/vnd.ms-excel', isExcel),
  mediaType('application/vnd.ms-publisher', ofClass('\x01\x12\x02\0\0\0\0\0\0\xc0\0\0\0\0\0\x46')),
  mediaType('application/vnd.ms-powerpoint', isPowerPoint),
  mediaType(
    'application/msword',
    ofClass(...['\x06', '\0', '\x07'].map((byte) => `${byte}\x09\x02\0${OF_OLE}`)),
  ),
)
