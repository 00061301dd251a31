const PLAIN_INTEGER = /^-?\d+$/
/** The digits that any way of writing a double needs at most (IEEE 754-2019 5.12.2). */
const DIGITS_OF_A_DOUBLE = 17

/**
 * Whether a number comes out as it was written once it is a double. An integer must lie within ±(2^53 - 1) (RFC 7493
 * 2.2); of a fraction or a number with an exponent the digits must survive. Some programs write 17 digits of every
 * double, more than it takes to tell it from all others; these count as its own too.
 *
 * @param text - a JSON number
 * @param value - what `Number` makes of it
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
