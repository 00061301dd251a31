const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Longer than any key; the cost of decoding grows with the square of the length. */
const LONGEST = 256

/** Decodes base58 in Bitcoin's alphabet, as publicKeyBase58 and multibase `z` have it; `undefined` where it is none. */
export function decodeBase58(text: string): Buffer | undefined {
  const digits = [...text].map((character) => ALPHABET.indexOf(character))
  if (text.length > LONGEST || digits.includes(-1)) return undefined
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const value = digits.reduce((sum, digit) => sum * 58n + BigInt(digit), 0n)
  const hex = value === 0n ? '' : value.toString(16)
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')])
}
