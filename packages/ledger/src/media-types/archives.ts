import {
  all,
  any,
  at,
  byteAt,
  longerThan,
  mediaType,
  standsAt,
  starts,
  type MediaType,
  type Test,
} from './media-type.js'

const LOCAL_HEADER = Buffer.from('PK\x03\x04', 'latin1')
const LOCAL_HEADER_BYTES = 30
/** Entries that office programs may put before those that identify the file. */
const OFFICE_FIRST = at(
  LOCAL_HEADER_BYTES,
  '[Content_Types].xml',
  '_rels/.rels',
  'docProps',
  'customXml',
  '[trash]',
)

const isZip: Test = all(
  starts('PK'),
  (content) => [3, 5, 7].includes(content[2] ?? 0) && [4, 6, 8].includes(content[3] ?? 0),
)

/** Places of the names of the first six entries, as far as they are found without the directory at the end. */
function* namePlaces(content: Buffer): Generator<number> {
  yield LOCAL_HEADER_BYTES
  // behind the compressed first entry, a name of 19 characters at least
  const start = (content.readUInt32LE(18) + 49) % 2 ** 32
  if (start + LOCAL_HEADER_BYTES > content.length) return
  let place = content.indexOf(LOCAL_HEADER, start)
  for (let entry = 1; place >= 0 && entry <= 5; entry++) {
    const name = place + LOCAL_HEADER_BYTES
    if (name > content.length) return
    yield name
    place = content.indexOf(LOCAL_HEADER, name + 26)
  }
}

const holds =
  (...names: string[]): Test =>
  (content) =>
    content.length >= LOCAL_HEADER_BYTES &&
    names.some((name) => {
      const bytes = Buffer.from(name, 'latin1')
      return [...namePlaces(content)].some((place) => standsAt(content, place, bytes))
    })

const officeWith = (folder: string): Test =>
  any(at(LOCAL_HEADER_BYTES, folder), all(OFFICE_FIRST, holds(folder)))

/** The first entry is a text that names the type: OpenDocument, EPUB. */
const named = (type: string): Test => at(LOCAL_HEADER_BYTES, `mimetype${type}`)

const openDocument = (kind: string, withTemplate = true): MediaType => {
  const name = `application/vnd.oasis.opendocument.${kind}`
  const template = `${name}-template`
  return mediaType(name, named(name), ...(withTemplate ? [mediaType(template, named(template))] : []))
}

export const SEVEN_ZIP = mediaType('application/x-7z-compressed', starts("7z\xbc\xaf'\x1c"))
export const GZIP = mediaType('application/gzip', starts('\x1f\x8b'))

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'

export const ZIP = mediaType(
  'application/zip',
  isZip,
  mediaType(`${OPEN_XML}.spreadsheetml.sheet`, officeWith('xl/')),
  mediaType(`${OPEN_XML}.wordprocessingml.document`, officeWith('word/')),
  mediaType(`${OPEN_XML}.presentationml.presentation`, officeWith('ppt/')),
  mediaType('application/epub+zip', named('application/epub+zip')),
  mediaType(
    'application/vnd.android.package-archive',
    holds(
      'AndroidManifest.xml',
      'META-INF/com/android/build/gradle/app-metadata.properties',
      'classes.dex',
      'resources.arsc',
      'res/drawable',
    ),
  ),
  mediaType('application/jar', holds('META-INF/MANIFEST.MF')),
  openDocument('text'),
  openDocument('spreadsheet'),
  openDocument('presentation'),
  openDocument('graphics'),
  openDocument('formula', false),
  openDocument('chart', false),
  mediaType('application/vnd.sun.xml.calc', named('application/vnd.sun.xml.calc')),
)

const TAR_RECORD = 512
const [CHECKSUM, CHECKSUM_END] = [148, 156]

/** A header of POSIX tar whose checksum is right, of bytes with or without a sign. */
function isTar(content: Buffer): boolean {
  if (content.length < TAR_RECORD || content.subarray(0, 100).includes('/gpkg-1\0')) return false
  const digits = content.toString('latin1', CHECKSUM, CHECKSUM_END).replace(/^[ \0]+|[ \0]+$/g, '')
  const [octal] = /^[^\0]*/.exec(digits) ?? []
  if (octal === undefined || digits === '' || !/^[0-7]*$/.test(octal)) return false
  const recorded = octal === '' ? 0 : Number.parseInt(octal, 8)
  const header = Buffer.from(content.subarray(0, TAR_RECORD)).fill(' ', CHECKSUM, CHECKSUM_END)
  const unsigned = header.reduce((sum, byte) => sum + byte, 0)
  const signed = header.reduce((sum, byte) => sum + (byte > 127 ? byte - 256 : byte), 0)
  return recorded === unsigned || recorded === signed
}

export const PACKED: readonly MediaType[] = [
  mediaType(
    'application/x-archive',
    starts('!<arch>'),
    mediaType('application/vnd.debian.binary-package', at(8, 'debian-binary')),
  ),
  mediaType('application/x-tar', isTar),
  mediaType('application/x-xar', starts('xar!')),
  mediaType('application/x-bzip2', starts('BZh')),
]

/** An extension of Chrome: a key and a signature in front of a ZIP file. */
function isChromeExtension(content: Buffer): boolean {
  if (content.length < 16 || !starts('Cr24')(content)) return false
  const place = (16 + content.readUInt32LE(8) + content.readUInt32LE(12)) % 2 ** 32
  return content.length >= place && isZip(content.subarray(place))
}

export const CHROME_EXTENSION = mediaType('application/x-chrome-extension', isChromeExtension)

/** Frames and skippable frames of Zstandard (RFC 8878), including those of its drafts. */
const isZstandard: Test = (content) => {
  const magic = content.length < 4 ? 0 : content.readUInt32LE(0)
  return (magic >= 0xfd2fb522 && magic <= 0xfd2fb528) || (magic >= 0x184d2a50 && magic <= 0x184d2a5f)
}

export const MORE_PACKED: readonly MediaType[] = [
  mediaType('application/zstd', isZstandard),
  mediaType('application/vnd.ms-cab-compressed', starts('MSCF\0\0\0\0')),
  mediaType('application/x-rpm', starts('\xed\xab\xee\xdb', 'drpm')),
  mediaType('application/x-xz', starts('\xfd7zXZ\0')),
  mediaType('application/lzip', starts('LZIP')),
  mediaType('application/x-bittorrent', starts('d8:announce')),
  mediaType('application/x-cpio', starts('070707', '070701', '070702')),
]

export const RAR = mediaType('application/x-rar-compressed', starts('Rar!\x1a\x07\0', 'Rar!\x1a\x07\x01\0'))

export const INSTALL_SHIELD = mediaType(
  'application/x-installshield',
  all(longerThan(7), starts('ISc('), byteAt(6, 0), any(byteAt(7, 1, 2), byteAt(7, 4))),
)
