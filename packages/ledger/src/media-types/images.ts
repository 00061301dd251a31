import { all, at, longerThan, mediaType, starts, type MediaType, type Test } from './media-type.js'

/** JPEG 2000 (ISO/IEC 15444): its box, and the brand in the box behind it. */
const jpeg2000 = (brand: string): Test => all(longerThan(23), at(4, 'jP  ', 'jP2 '), at(20, brand))

/** A form of the Resource Interchange File Format. */
export const riff = (form: string): Test => all(longerThan(12), starts('RIFF'), at(8, form))

const DWG_VERSIONS = [
  ...['1.40', '1.50', '2.10', '1002', '1003', '1004', '1006', '1009'],
  ...['1012', '1014', '1015', '1018', '1021', '1024', '1032'],
]

export const XPM = mediaType('image/x-xpixmap', starts('/* XPM */'))
export const PSD = mediaType('image/vnd.adobe.photoshop', starts('8BPS'))

/** Those that are looked for early. */
export const IMAGES: readonly MediaType[] = [
  mediaType('image/png', starts('\x89PNG\r\n\x1a\n'), mediaType('image/vnd.mozilla.apng', at(37, 'acTL'))),
  mediaType('image/jpeg', starts('\xff\xd8\xff')),
  mediaType('image/jxl', starts('\xff\x0a', '\0\0\0\x0cJXL \r\n\x87\n')),
  mediaType('image/jp2', jpeg2000('jp2 ')),
  mediaType('image/jpx', jpeg2000('jpx ')),
  mediaType('image/jpm', jpeg2000('jpm ')),
  mediaType('image/jxs', starts('\0\0\0\x0cJXS \r\n\x87\n')),
  mediaType('image/gif', starts('GIF87a', 'GIF89a')),
  mediaType('image/webp', riff('WEBP')),
]

export const BITMAPS: readonly MediaType[] = [
  mediaType('image/tiff', starts('II*\0', 'MM\0*')),
  mediaType('image/bmp', starts('BM')),
  mediaType('image/x-icon', starts('\0\0\x01\0', '\0\0\x02\0')),
]

export const DJVU = mediaType(
  'image/vnd.djvu',
  all(starts('AT&TFORM'), at(12, 'DJVM', 'DJVU', 'DJVI', 'THUM')),
)
export const BPG = mediaType('image/bpg', starts('BPG\xfb'))
export const DWG = mediaType('image/vnd.dwg', starts(...DWG_VERSIONS.map((version) => `AC${version}`)))
export const ICNS = mediaType('image/x-icns', starts('icns'))
export const HDR = mediaType('image/vnd.radiance', starts('#?RADIANCE\n'))
export const GIMP: readonly MediaType[] = [
  mediaType('image/x-xcf', starts('gimp xcf')),
  mediaType('image/x-gimp-pat', at(20, 'GPAT')),
  mediaType('image/x-gimp-gbr', at(20, 'GIMP')),
]
export const JXR = mediaType('image/jxr', starts('II\xbc\x01'))
