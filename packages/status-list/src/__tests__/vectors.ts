import { readFileSync } from 'node:fs'

interface BitstringVectors {
  bitstring: {
    src: string
    encodedList?: string
    gzipBase64url?: string
    bytes?: number
    bytesHex?: string
    set?: number[]
  }[]
  multiBit: { order: string; size?: number; bits?: number; values: number[]; byteHex: string }[]
  walt: { fixtures: Record<string, { list: string; index: string | number; expectedValue: number }> }
}
interface TokenVectors {
  small: { bits: number; values: number[]; lst: string; bytes: string }[]
  long: Record<string, { bits: number; size: number; entries: [index: number, value: number][]; lst: string }>
}

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`./vectors/${file}`, import.meta.url), 'utf8'))

/** Published examples of W3C lists and fixtures of other implementations; each names its source. */
export const bitstringVectors = read('bitstring.json') as BitstringVectors

/** The test vectors of draft-ietf-oauth-status-list. */
export const tokenVectors = read('tsl.json') as TokenVectors
