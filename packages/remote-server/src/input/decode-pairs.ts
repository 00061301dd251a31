import { flawOfText, malformedBody } from './malformed-body.js'

export type Pair = readonly [name: string, value: string]

/**
 * Takes `a=1&b=2` apart, as form bodies and query strings have it (WHATWG URL, application/x-www-form-urlencoded),
 * but without its leniency: what is not properly escaped UTF-8 is refused instead of being replaced.
 *
 * @param what - in errors: `body` or `query`
 * @throws AgentError `malformed_body`
 */
export function decodePairs(text: string, what: 'body' | 'query'): Pair[] {
  return text
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece) => {
      const equals = piece.indexOf('=')
      const name = decodePart(equals === -1 ? piece : piece.slice(0, equals), what)
      return [name, equals === -1 ? '' : decodePart(piece.slice(equals + 1), what, name)]
    })
}

function decodePart(text: string, what: string, field?: string): string {
  const subject = field ?? ''
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformedBody(
      subject,
      `${field === undefined ? `has a name (in the ${what}) that` : ''} is not percent-encoded UTF-8`.trim(),
    )
  }
  const flaw = flawOfText(decoded)
  if (flaw)
    throw malformedBody(subject, field === undefined ? `has a name (in the ${what}) that ${flaw}` : flaw)
  return decoded
}
