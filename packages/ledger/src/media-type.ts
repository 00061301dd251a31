/** As much as decides about the type, in bytes. */
const READ_LIMIT = 3072

const SIGNATURES: readonly (readonly [mediaType: string, offset: number, bytes: string])[] = [
  ['image/png', 0, '89504e470d0a1a0a'],
  ['image/jpeg', 0, 'ffd8ff'],
  ['image/gif', 0, '474946383761'],
  ['image/gif', 0, '474946383961'],
  ['image/webp', 8, '57454250'],
  ['application/pdf', 0, '255044462d'],
  ['application/zip', 0, '504b0304'],
  ['application/gzip', 0, '1f8b'],
]

/** Control characters that no text has. */
// eslint-disable-next-line no-control-regex -- these are what is looked for
const BINARY = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/

/**
 * The media type of a resource, found in its content as the ledger finds it: JSON objects and arrays, images, PDF,
 * archives, markup, other text with its charset; `application/octet-stream` for everything else.
 */
export function detectMediaType(data: Uint8Array): string {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return typeBySignature(bytes) ?? typeOfText(bytes) ?? 'application/octet-stream'
}

function typeBySignature(bytes: Buffer): string | undefined {
  const found = SIGNATURES.find(([, offset, signature]) => {
    const end = offset + signature.length / 2
    return bytes.length >= end && bytes.toString('hex', offset, end) === signature
  })
  if (found?.[0] === 'image/webp' && bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined
  return found?.[0]
}

function typeOfText(bytes: Buffer): string | undefined {
  const utf16 = utf16Charset(bytes)
  if (utf16) return `text/plain; charset=${utf16}`
  const start = bytes.subarray(0, READ_LIMIT)
  if (BINARY.test(start.toString('latin1'))) return undefined
  if (isJson(bytes)) return 'application/json'
  const type = markupType(start.toString('latin1')) ?? 'text/plain'
  return type.startsWith('text/') ? `${type}; charset=${charsetOf(start)}` : type
}

function utf16Charset(bytes: Buffer): string | undefined {
  const mark = bytes.toString('hex', 0, 2)
  if (mark === 'fffe') return 'utf-16le'
  return mark === 'feff' ? 'utf-16be' : undefined
}

function isJson(bytes: Buffer): boolean {
  const [first] = /[^\s]/.exec(bytes.toString('latin1', 0, READ_LIMIT)) ?? []
  if (first !== '{' && first !== '[') return false
  try {
    JSON.parse(bytes.toString('utf8'))
    return true
  } catch {
    return false
  }
}

function markupType(start: string): string | undefined {
  const text = start.replace(/^\xef\xbb\xbf/, '').trimStart()
  if (/^<(?:!doctype html|html|head|body|script|iframe|h1|div|table|title|p|!--)[\s>]/i.test(text))
    return 'text/html'
  if (/^(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)?<svg[\s>]/is.test(text)) return 'image/svg+xml'
  return text.startsWith('<?xml') ? 'text/xml' : undefined
}

function charsetOf(start: Buffer): string {
  if (isUtf8Start(start)) return 'utf-8'
  return /[\x80-\x9f]/.test(start.toString('latin1')) ? 'windows-1252' : 'iso-8859-1'
}

/** The limit may cut a character in two. */
function isUtf8Start(start: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return true
  } catch {
    return false
  }
}
