/** Bytes of either alphabet of base64, with or without padding. */
export function bytesOfBase64(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

export function bytesOfHex(text: string): Uint8Array {
  const digits = text.match(/../g) ?? []
  return Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16))
}

export const textOfBase64Url = (text: string): string => new TextDecoder().decode(bytesOfBase64(text))
