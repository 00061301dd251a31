const PLAIN_INTEGER = /^-?\d+$/
/** Maximum number of digits needed to write a double (IEEE 754-2019 5.12.2). */
const DIGITS_OF_A_DOUBLE = 17

/**
 * Whether a double keeps a number as written. An integer must lie within ±(2^53 - 1) (RFC 7493 2.2); the digits of a
 * fraction or a number with an exponent must survive. Some programs write 17 digits of every double, more than needed
 * to distinguish it from all others; these are accepted as well.
 *
 * @param text - a JSON number
 * @param value - the result of `Number`
 */
export function isKeptExactly(text: string, value: number): boolean {
  if (PLAIN_INTEGER.test(text)) return Number.isSafeInteger(value)
  const digits = significantDigits(text)
  if (value === 0) return digits === ''
  if (digits === significantDigits(String(value))) return true
  return digits.length <= DIGITS_OF_A_DOUBLE && digits === significantDigits(value.toPrecision(digits.length))
}

const significantDigits = (text: string): string =>
  text
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '')
    .replace(/(?<!0)0+$/, '')

export const INEXACT_NUMBER = 'is a number that cannot be stored exactly; write it as a string'
