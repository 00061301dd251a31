import {
  all,
  any,
  at,
  byteAt,
  longerThan,
  mediaType,
  not,
  starts,
  type MediaType,
  type Test,
} from './media-type.js'

/** `e_type` of an ELF header, in either order of bytes. */
const elfType = (type: string): Test => at(16, `${type}\0`, `\0${type}`)

/** Java and fat Mach-O files begin alike; the last byte is a version here and a count there. */
const isCafeBabe: Test = all(longerThan(7), starts('\xca\xfe\xba\xbe'))

const isMachO = any(
  all(isCafeBabe, byteAt(7, 0, 0x13)),
  starts('\xfe\xed\xfa\xce', '\xce\xfa\xed\xfe', '\xfe\xed\xfa\xcf', '\xcf\xfa\xed\xfe'),
)

export const EXECUTABLES: readonly MediaType[] = [
  mediaType('application/vnd.microsoft.portable-executable', starts('MZ')),
  mediaType(
    'application/x-elf',
    starts('\x7fELF'),
    mediaType('application/x-object', elfType('\x01')),
    mediaType('application/x-executable', elfType('\x02')),
    mediaType('application/x-sharedlib', elfType('\x03')),
    mediaType('application/x-coredump', elfType('\x04')),
  ),
]

export const JAVA = mediaType('application/x-java-applet', all(isCafeBabe, byteAt(7, 31, 255)))
export const FLASH = mediaType('application/x-shockwave-flash', starts('CWS', 'FWS', 'ZWS'))

const ACCESS = {
  old: at(4, 'Standard Jet DB'),
  new: at(4, 'Standard ACE DB'),
}

export const ACCESS_DATABASES: readonly MediaType[] = [
  mediaType('application/x-msaccess', ACCESS.old),
  mediaType('application/x-msaccess', ACCESS.new),
]

export const FONTS: readonly MediaType[] = [
  mediaType('font/ttf', all(starts('\0\x01\0\0'), not(any(ACCESS.old, ACCESS.new)))),
  mediaType('font/woff', starts('wOFF')),
  mediaType('font/woff2', starts('wOF2')),
  mediaType('font/otf', starts('OTTO\0')),
  mediaType('font/collection', starts('ttcf\0\x01\0\0', 'ttcf\0\x02\0\0')),
  mediaType(
    'application/vnd.ms-fontobject',
    all(longerThan(35), at(34, 'LP'), at(8, '\x02\0\x01', '\x01\0\0', '\x02\0\x02')),
  ),
]

export const WASM = mediaType('application/wasm', starts('\0asm'))

const SHAPE_TYPES = [0, 1, 3, 5, 8, 11, 13, 15, 18, 21, 23, 25, 28, 31]

/** ESRI Shapefile: unused words, its version, and the type of the first shape. */
const isShapes: Test = (content) =>
  content.length >= 112 &&
  starts(`\0\0\x27\x0a${'\0'.repeat(20)}`)(content) &&
  content.readUInt32LE(28) === 1000 &&
  SHAPE_TYPES.includes(content.readUInt32LE(108))

export const SHAPES = mediaType(
  'application/vnd.shx',
  starts('\0\0\x27\x0a'),
  mediaType('application/vnd.shp', isShapes),
)

const DBF_TYPES = [
  ...[0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x42, 0x62, 0x7b, 0x82],
  ...[0x83, 0x87, 0x8a, 0x8b, 0x8e, 0xb3, 0xcb, 0xe5, 0xf5, 0xf4, 0xfb],
]

/** dBase: a type, the day of the last update, reserved bytes, and a flag. */
const isDbf: Test = all(
  longerThan(67),
  byteAt(2, 1, 12),
  byteAt(3, 1, 31),
  ...[12, 13, 30, 31].map((place) => byteAt(place, 0)),
  byteAt(28, 0, 1),
  (content) => DBF_TYPES.includes(content[0] ?? 0),
)

export const DATA_FILES: readonly MediaType[] = [
  mediaType('application/x-dbf', isDbf),
  mediaType('application/dicom', at(128, 'DICM')),
]

export const SQLITE = mediaType('application/vnd.sqlite3', starts('SQLite format 3\0'))

/** MARC 21: a length in digits, fixed bytes in the leader, and the end of a field early. */
const isMarc: Test = (content) =>
  content.length >= 24 &&
  at(20, '4500')(content) &&
  /^\d{5}$/.test(content.toString('latin1', 0, 5)) &&
  content.subarray(0, 2048).includes(0x1e)

export const MARC = mediaType('application/marc', isMarc)
export const MACH_O = mediaType('application/x-mach-binary', isMachO)
export const SHORTCUT = mediaType('application/x-ms-shortcut', starts('L\0\0\0\x01\x14\x02\0'))
export const NES = mediaType('application/vnd.nintendo.snes.rom', starts('NES\x1a'))
export const CBOR = mediaType('application/cbor', starts('\xd9\xd9\xf7'))

/** Time zones (RFC 9636): at least one type of local time, and a version. */
const isTimeZone: Test = all(
  longerThan(43),
  starts('TZif'),
  not(at(36, '\0\0\0\0')),
  any(byteAt(4, 0), byteAt(4, 0x32, 0x33)),
)

export const TIME_ZONE = mediaType('application/tzif', isTimeZone)
export const GLTF = mediaType('model/gltf-binary', starts('glTF\x02\0\0\0', 'glTF\x01\0\0\0'))
export const PARQUET = mediaType('application/vnd.apache.parquet', starts('PAR1'))
export const FITS = mediaType('application/fits', starts(`SIMPLE  =${' '.repeat(20)}T`))
