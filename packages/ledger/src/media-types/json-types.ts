import { endOfJson, skipSpace } from '../json-scanner.js'
import { isSpace, readLines, mediaType, withoutLeadingSpace, type Test } from './media-type.js'

const GEOMETRIES = [
  ...['Feature', 'FeatureCollection', 'Point', 'LineString', 'Polygon', 'MultiPoint'],
  ...['MultiLineString', 'MultiPolygon', 'GeometryCollection'],
]

function isWholeJson(content: Buffer): boolean {
  const end = endOfJson(content, 0)
  return end >= 0 && skipSpace(content, end) === content.length
}

const isContainer = (byte: number | undefined) => byte === 0x5b || byte === 0x7b

const isJson: Test = (content) => {
  const text = withoutLeadingSpace(content)
  return isContainer(text[0]) && isWholeJson(text)
}

/** RFC 7946, as the ledger looks for it: by the first `"type"`, anywhere. */
const isGeoJson: Test = (content) => {
  const text = withoutLeadingSpace(content)
  const place = text.indexOf('"type"')
  if (text[0] !== 0x7b || place < 0) return false
  const behind = withoutLeadingSpace(text.subarray(place + '"type"'.length))
  if (behind[0] !== 0x3a) return false
  // Longer than every name with its quotes.
  const value = withoutLeadingSpace(behind.subarray(1)).toString('latin1', 0, 24)
  return GEOMETRIES.some((name) => value.startsWith(`"${name}"`))
}

/** Two lines or more of JSON, an object or an array among them. */
const areJsonLines: Test = (content) => {
  let [lines, hasContainer] = [0, false]
  for (const whole of readLines(content)) {
    const line = trimmed(whole)
    if (line.length === 0) continue
    if (!isWholeJson(line)) return false
    if (isContainer(line[0])) hasContainer = true
    lines++
  }
  return lines > 1 && hasContainer
}

function trimmed(line: Buffer): Buffer {
  const text = withoutLeadingSpace(line)
  let end = text.length
  while (end > 0 && isSpace(text[end - 1])) end--
  return text.subarray(0, end)
}

export const JSON_TEXT = mediaType('application/json', isJson, mediaType('application/geo+json', isGeoJson))
export const JSON_LINES = mediaType('application/x-ndjson', areJsonLines)
