import { all, any, at, byteAt, longerThan, mediaType, starts, type Test } from './media-type.js'

/** The major brand of an ISO base media file (ISO/IEC 14496-12). */
const brand = (...brands: string[]): Test => at(8, ...brands)

const DVB_BRANDS = [
  ...['dby1', 'dsms', 'dts1', 'dts2', 'dts3', 'dxo ', 'dmb1', 'dmpf', 'drc1'],
  ...['dv1a', 'dv1b', 'dv2a', 'dv2b', 'dv3a', 'dv3b', 'dvr1', 'dvt1', 'emsg'],
]

/** The size of the first box is small, so that its first byte distinguishes it from a text. */
export const QUICKTIME = mediaType(
  'video/quicktime',
  all(
    longerThan(11),
    any(
      all(at(4, 'ftypqt  ', 'ftypmoov'), byteAt(0, 0)),
      at(4, 'moov\0', 'mdat\0', 'free\0', 'skip\0', 'pnot\0'),
      starts('\0\0\0\x08wide'),
    ),
  ),
)

export const MP4 = mediaType(
  'video/mp4',
  all(longerThan(11), byteAt(0, 0), at(4, 'ftyp')),
  mediaType('image/avif', brand('avif', 'avis')),
  mediaType(
    'video/3gpp',
    brand('3gp1', '3gp2', '3gp3', '3gp4', '3gp5', '3gp6', '3gp7', '3gs7', '3ge6', '3ge7', '3gg6'),
  ),
  mediaType('video/3gpp2', brand('3g24', '3g25', '3g26', '3g2a', '3g2b', '3g2c', 'KDDI')),
  mediaType('audio/mp4', brand('F4A ', 'F4B ', 'M4B ', 'M4P ', 'MSNV', 'NDAS')),
  mediaType('video/quicktime', brand('mqt ')),
  mediaType('audio/x-m4a', brand('M4A ')),
  mediaType('video/x-m4v', brand('M4V ', 'M4VH', 'M4VP')),
  mediaType('image/heic', brand('heic', 'heix')),
  mediaType('image/heic-sequence', brand('hevc', 'hevx')),
  mediaType('image/heif', brand('mif1', 'heim', 'heis', 'avic')),
  mediaType('image/heif-sequence', brand('msf1', 'hevm', 'hevs', 'avcs')),
  mediaType('video/mj2', brand('mj2s', 'mjp2', 'MFSM', 'MGSV')),
  mediaType('video/vnd.dvb.file', brand(...DVB_BRANDS)),
)
