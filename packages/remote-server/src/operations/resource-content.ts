import { BOUNDS, problemsError } from '@vidimus/core-types'

/** Encodings of resource content in a request. */
export const CONTENT_ENCODINGS = ['base64url', 'base64', 'hex', 'utf-8'] as const
export type ContentEncoding = (typeof CONTENT_ENCODINGS)[number]

interface Form {
  /** whether a text is valid in this encoding */
  form: RegExp
  is: string
  /** @param text - in the encoding above */
  decode: (text: string) => Buffer
}

const FORMS: Readonly<Record<ContentEncoding, Form>> = {
  base64url: {
    form: /^[A-Za-z0-9_-]*={0,2}$/,
    is: 'base64url',
    decode: (text) => Buffer.from(text, 'base64url'),
  },
  base64: { form: /^[A-Za-z0-9+/]*={0,2}$/, is: 'base64', decode: (text) => Buffer.from(text, 'base64') },
  hex: {
    form: /^(?:[0-9a-fA-F]{2})*$/,
    is: 'hexadecimal, two digits for each byte',
    decode: (text) => Buffer.from(text, 'hex'),
  },
  'utf-8': { form: /^/, is: 'text', decode: (text) => Buffer.from(text, 'utf8') },
}

/**
 * The resource content of a request.
 *
 * @returns base64url without padding
 * @throws AgentError `invalid_input` at `data` if it is malformed, empty or too long
 */
export function readContent(data: string, encoding: ContentEncoding): string {
  const { form, is, decode } = FORMS[encoding]
  if (!form.test(data) || !hasWholeBytes(data, encoding)) throw refused(`must be ${is}, as set by encoding`)
  const content = decode(data)
  if (content.length === 0) throw refused('must have at least one byte')
  if (content.length > BOUNDS.resourceBytes)
    throw refused(`must have at most ${BOUNDS.resourceBytes} bytes of content, not ${content.length}`)
  return content.toString('base64url')
}

/** A final group of one character would carry only six bits; with padding, groups have four. */
function hasWholeBytes(data: string, encoding: ContentEncoding): boolean {
  if (encoding !== 'base64' && encoding !== 'base64url') return true
  const bare = data.replace(/=+$/, '')
  return bare.length % 4 !== 1 && (bare.length === data.length || data.length % 4 === 0)
}

const refused = (message: string) => problemsError('invalid_input', [{ path: 'data', message }])
