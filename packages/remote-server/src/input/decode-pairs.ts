import { flawOfText, malformedBody, MOST_PARTS, tooManyParts, type InputPart } from './malformed-body.js'

export type Pair = readonly [name: string, value: string]

/**
 * Parses `a=1&b=2`, the format of form bodies and query strings (WHATWG URL, application/x-www-form-urlencoded), but
 * without its leniency: text that is not properly escaped UTF-8 is refused instead of replaced.
 *
 * @throws AgentError `malformed_body`
 */
export function decodePairs(text: string, part: InputPart): Pair[] {
  const pieces = text.split('&').filter((piece) => piece !== '')
  if (pieces.length > MOST_PARTS) throw tooManyParts('', part)
  return pieces.map((piece) => {
    const equals = piece.indexOf('=')
    const name = decodePart(equals === -1 ? piece : piece.slice(0, equals), (flaw) =>
      malformedBody('', `has a field name that ${flaw}`, part),
    )
    if (equals === -1) return [name, '']
    return [name, decodePart(piece.slice(equals + 1), (flaw) => malformedBody(name, flaw, part))]
  })
}

function decodePart(text: string, refusal: (flaw: string) => Error): string {
  let decoded: string
  try {
    decoded = decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw refusal(
      /%(?![0-9A-Fa-f]{2})/.test(text)
        ? 'has a "%" without two hexadecimal digits after it; write a percent sign as "%25"'
        : 'has percent-encoded bytes that are not UTF-8',
    )
  }
  const flaw = flawOfText(decoded)
  if (flaw) throw refusal(flaw)
  return decoded
}
