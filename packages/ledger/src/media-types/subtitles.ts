import { any, readLines, mediaType, starts, type Test } from './media-type.js'

const TIMES = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d,\d{3}) --> ((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d,\d{3})$/

/** SubRip: the number 1, its times, and a text. */
const isSubRip: Test = (content) => {
  if (content[0] !== 0x31) return false
  const lines = readLines(content)
  const [number, times, text] = [lines, lines, lines].map((all) => {
    const line: IteratorResult<Buffer, void> = all.next()
    return line.value?.toString('latin1') ?? ''
  })
  const [, from = '', to = ''] = TIMES.exec(times ?? '') ?? []
  return number === '1' && from !== '' && from <= to && text !== ''
}

const WEB_VTT = ['WEBVTT', '\xef\xbb\xbfWEBVTT']

/** WebVTT, alone or followed by white space. */
const isWebVtt = any(
  starts(...WEB_VTT.flatMap((text) => ['\n', '\r', ' ', '\t'].map((space) => text + space))),
  (content) => content.length < 10 && WEB_VTT.includes(content.toString('latin1')),
)

export const SUB_RIP = mediaType('application/x-subrip', isSubRip)
export const WEB_VTT_TEXT = mediaType('text/vtt', isWebVtt)
