import { asBuffer } from '@vidimus/core-types'
import * as archives from './media-types/archives.js'
import * as binaries from './media-types/binaries.js'
import { charsetOfText, withCharset } from './media-types/charset.js'
import { COMPOUND_FILE } from './media-types/compound-files.js'
import { charsetOfHtml, charsetOfXml } from './media-types/declared-charset.js'
import * as documents from './media-types/documents.js'
import * as images from './media-types/images.js'
import type { MediaType } from './media-types/media-type.js'
import { OGG, QCELP, SOUNDS_AND_FILMS } from './media-types/sounds-and-films.js'
import { TEXT } from './media-types/texts.js'

/** In the order of the ledger's checks, which decides if several match. */
const TYPES: readonly MediaType[] = [
  images.XPM,
  archives.SEVEN_ZIP,
  archives.ZIP,
  documents.PDF,
  documents.FDF,
  COMPOUND_FILE,
  documents.POSTSCRIPT,
  images.PSD,
  documents.PKCS7,
  OGG,
  ...images.IMAGES,
  ...binaries.EXECUTABLES,
  ...archives.PACKED,
  binaries.FITS,
  ...images.BITMAPS,
  ...SOUNDS_AND_FILMS,
  archives.GZIP,
  binaries.JAVA,
  binaries.FLASH,
  archives.CHROME_EXTENSION,
  ...binaries.FONTS,
  binaries.WASM,
  binaries.SHAPES,
  ...binaries.DATA_FILES,
  archives.RAR,
  images.DJVU,
  documents.MOBI,
  documents.LIT,
  images.BPG,
  binaries.CBOR,
  binaries.SQLITE,
  images.DWG,
  binaries.NES,
  binaries.SHORTCUT,
  binaries.MACH_O,
  QCELP,
  images.ICNS,
  images.HDR,
  binaries.MARC,
  ...binaries.ACCESS_DATABASES,
  ...archives.MORE_PACKED,
  binaries.TIME_ZONE,
  ...images.GIMP,
  binaries.GLTF,
  archives.INSTALL_SHIELD,
  images.JXR,
  binaries.PARQUET,
  TEXT,
]

const CHARSETS: Readonly<Record<string, (content: Buffer) => string>> = {
  'text/plain': charsetOfText,
  'text/html': charsetOfHtml,
  'text/xml': charsetOfXml,
}

/**
 * The media type of a resource, found in its content as the ledger finds it, which decides about the fee: JSON, images,
 * anything else. The whole content is looked at. Every type that version 1.4.8 of its library knows is known here.
 */
export function detectMediaType(data: Uint8Array): string {
  const content = asBuffer(data)
  const name = detectedName(content, TYPES, 'application/octet-stream')
  const charset = CHARSETS[name]
  return charset ? withCharset(name, charset(content)) : name
}

function detectedName(content: Buffer, types: readonly MediaType[], otherwise: string): string {
  const type = types.find(({ fits }) => fits(content))
  return type ? detectedName(content, type.kinds ?? [], type.name) : otherwise
}
