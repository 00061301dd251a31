const PREFIX = 'cheqd'
const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/**
 * 20 bytes for keys, 32 for modules and contracts, both followed by the six characters of the checksum. The last
 * character of 32 bytes holds one bit.
 */
const FORM = /^cheqd1(?:[02-9ac-hj-np-z]{38}|[02-9ac-hj-np-z]{51}[qs][02-9ac-hj-np-z]{6})$/
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/**
 * Whether a text is the address of an account on a cheqd network, its checksum included: money that is sent to a
 * mistyped address is lost.
 *
 * @see BIP 173, Bech32
 */
export function isCheqdAddress(text: string): boolean {
  if (!FORM.test(text)) return false
  const high = [...PREFIX].map((character) => character.charCodeAt(0) >> 5)
  const low = [...PREFIX].map((character) => character.charCodeAt(0) & 31)
  const data = [...text.slice(PREFIX.length + 1)].map((character) => CHARSET.indexOf(character))
  return checksumOf([...high, 0, ...low, ...data]) === 1
}

function checksumOf(values: readonly number[]): number {
  let checksum = 1
  for (const value of values) {
    const top = checksum >>> 25
    checksum = ((checksum & 0x1ffffff) << 5) ^ value
    GENERATOR.forEach((generator, bit) => {
      if ((top >>> bit) & 1) checksum ^= generator
    })
  }
  return checksum
}
