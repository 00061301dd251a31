import { riff } from './images.js'
import { MP4, QUICKTIME } from './iso-media.js'
import {
  all,
  any,
  at,
  byteAt,
  longerThan,
  mediaType,
  starts,
  type MediaType,
  type Test,
} from './media-type.js'

/** A frame of MPEG layer III without a tag in front: versions 1, 2 and 2.5. */
const isMp3Frame: Test = all(longerThan(2), byteAt(0, 0xff), (content) =>
  [0xfa, 0xf2, 0xe2].includes((content[1] ?? 0) & 0xfe),
)

/** EBML of Matroska: the name of its document type follows `42 82` and a length. */
const isMatroska =
  (documentType: string): Test =>
  (content) => {
    const place = content.subarray(0, 4096).indexOf('\x42\x82', 0, 'latin1')
    const length = content[place + 2]
    if (!starts('\x1a\x45\xdf\xa3')(content) || place < 1 || length === undefined) return false
    const width = Math.min(Math.clz32(length) - 23, 8)
    return at(place + 2 + width, documentType)(content)
  }

const OGG = mediaType(
  'application/ogg',
  starts('OggS\0'),
  mediaType('audio/ogg', all(longerThan(36), at(28, '\x7fFLAC', '\x01vorbis', 'OpusHead', 'Speex   '))),
  mediaType('video/ogg', all(longerThan(36), at(28, '\x80theora', 'fishead\0', '\x01video\0\0\0'))),
)

export { OGG }

export const SOUNDS_AND_FILMS: readonly MediaType[] = [
  mediaType('audio/mpeg', any(all(longerThan(2), starts('ID3')), isMp3Frame)),
  mediaType('audio/flac', starts('fLaC\0\0\0\x22')),
  mediaType('audio/midi', starts('MThd')),
  mediaType('audio/ape', starts('MAC \x96\x0f\0\0\x34\0\0\0\x18\0\0\0\x90\xe3')),
  mediaType('audio/musepack', starts('MPCK')),
  mediaType('audio/amr', starts('#!AMR')),
  mediaType('audio/wav', riff('WAVE')),
  mediaType('audio/aiff', all(longerThan(12), starts('FORM'), at(8, 'AIFF'))),
  mediaType('audio/basic', starts('.snd')),
  mediaType('video/mpeg', all(starts('\0\0\x01'), byteAt(3, 0xb0, 0xbf))),
  QUICKTIME,
  MP4,
  mediaType('video/webm', isMatroska('webm')),
  mediaType('video/x-msvideo', all(longerThan(16), starts('RIFF'), at(8, 'AVI LIST'))),
  mediaType('video/x-flv', starts('FLV\x01')),
  mediaType('video/x-matroska', isMatroska('matroska')),
  mediaType('video/x-ms-asf', starts('\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9\0\xaa\0\x62\xce\x6c')),
  mediaType('audio/aac', starts('\xff\xf1', '\xff\xf9')),
  mediaType('audio/x-unknown', starts('Creative Voice File')),
  mediaType('application/vnd.apple.mpegurl', starts('#EXTM3U')),
  mediaType('application/vnd.rn-realmedia-vbr', starts('.RMF')),
]

export const QCELP = mediaType('audio/qcelp', riff('QLCM'))
