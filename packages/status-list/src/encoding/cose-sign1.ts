import { decode, encode, Tagged } from 'cborg'
import type { DetachedSignature } from '@vidimus/core-types'
import { malformedList } from '../types/malformed-list.js'

/** Parameters of a COSE header, by their numbers (RFC 9052 3.1, RFC 9596, RFC 9360). */
export const HEADER = { alg: 1, crit: 2, kid: 4, type: 16, x5chain: 33 } as const

/** Tags: a single signature (RFC 9052 2), and a CWT (RFC 8392 6). */
const SIGN1 = 18
const CWT = 61
/** Nothing here is nested deeper; more would only fill the stack. */
const DEEPEST = 16

/** The COSE `alg` for that of JOSE (RFC 9053 2, RFC 8812 3.2). */
const ALGORITHMS = { EdDSA: -8, ES256: -7, ES384: -35, ES256K: -47 } as const
export type CoseAlgorithm = keyof typeof ALGORITHMS

export const coseAlgorithm = (name: string): number | undefined =>
  (ALGORITHMS as Partial<Record<string, number>>)[name]

/** A `COSE_Sign1`, taken apart and not verified. */
export interface CoseSign1 extends DetachedSignature {
  algorithm: CoseAlgorithm
  type?: string
  payload: Uint8Array
}

/** What is signed (RFC 9052 4.4), without external data. */
export const signedBytes = (protectedHeader: Uint8Array, payload: Uint8Array): Uint8Array =>
  encode(['Signature1', protectedHeader, new Uint8Array(), payload])

/** A `COSE_Sign1_Tagged` (RFC 9052 4.2) without a tag of CWT around it. */
export const encodeSign1 = (
  protectedHeader: Uint8Array,
  payload: Uint8Array,
  signature: Uint8Array,
): Uint8Array => encode(new Tagged(SIGN1, [protectedHeader, new Map(), payload, signature]))

/**
 * Takes a `COSE_Sign1` apart: tagged, with or without the tag of a CWT around it; also untagged, as drafts of status lists
 * had it.
 *
 * @throws AgentError `malformed_list`
 */
export function decodeSign1(bytes: Uint8Array): CoseSign1 {
  const message = decodeCbor(bytes, 'it')
  if (!Array.isArray(message) || message.length !== 4) throw malformedList('it is not a COSE_Sign1')
  const [protectedHeader, unprotected, payload, signature] = message as unknown[]
  if (!isBytes(protectedHeader) || !isBytes(payload) || !isBytes(signature) || !isMap(unprotected)) {
    throw malformedList('its COSE_Sign1 does not have four valid parts')
  }
  const header =
    protectedHeader.length === 0 ? new Map() : decodeCbor(protectedHeader, 'its protected header')
  if (!isMap(header)) throw malformedList('its protected header is not a map')
  if (header.has(HEADER.crit)) throw malformedList('it demands extensions (crit) that are not supported')
  const algorithm = toCoseAlgorithm(header.get(HEADER.alg))
  const kid = methodUrl(header.get(HEADER.kid) ?? unprotected.get(HEADER.kid))
  const type = header.get(HEADER.type) ?? unprotected.get(HEADER.type)
  const certificates = chainTexts(header.get(HEADER.x5chain) ?? unprotected.get(HEADER.x5chain))
  return {
    algorithm,
    ...(kid !== undefined && { kid }),
    ...(typeof type === 'string' && { type }),
    ...(certificates && { certificates }),
    payload,
    signature,
    signed: signedBytes(protectedHeader, payload),
  }
}

/**
 * Reads CBOR from outside: no repeated keys, nothing of indefinite length, no tags but those above.
 *
 * @param what - names it in errors
 * @throws AgentError `malformed_list`
 */
export function decodeCbor(bytes: Uint8Array, what: string): unknown {
  try {
    demandFlat(bytes)
    return decode(bytes, {
      useMaps: true,
      strict: true,
      rejectDuplicateMapKeys: true,
      allowIndefinite: false,
      allowUndefined: false,
      tags: { [SIGN1]: decodeContent, [CWT]: decodeContent },
    })
  } catch (cause) {
    throw malformedList(`${what} is not valid CBOR`, { cause })
  }
}

const decodeContent = (content: () => unknown): unknown => content()

/** Refuses nesting before anything is built: each level costs one byte, and the decoder a frame of the stack. */
function demandFlat(bytes: Uint8Array): void {
  const open: number[] = []
  for (let at = 0; at < bytes.length;) {
    const { major, argument, next } = headAt(bytes, at)
    at = major === 2 || major === 3 ? next + argument : next
    const items = major === 4 ? argument : major === 5 ? argument * 2 : major === 6 ? 1 : 0
    if (items > 0) open.push(items + 1)
    if (open.length > DEEPEST) throw new Error('nested too deeply')
    for (let last = open.length - 1; last >= 0; last = open.length - 1) {
      const left = (open[last] ?? 0) - 1
      open[last] = left
      if (left > 0) break
      open.pop()
    }
  }
}

/** The head of a data item (RFC 8949 3). */
function headAt(bytes: Uint8Array, at: number): { major: number; argument: number; next: number } {
  const first = bytes[at] ?? 0
  const major = first >> 5
  const info = first & 0x1f
  if (info < 24) return { major, argument: info, next: at + 1 }
  if (info > 27) throw new Error('of indefinite length')
  const length = 2 ** (info - 24)
  let argument = 0
  for (let n = 1; n <= length; n++) argument = argument * 256 + (bytes[at + n] ?? 0)
  return { major, argument: major === 7 ? 0 : argument, next: at + 1 + length }
}

function toCoseAlgorithm(alg: unknown): CoseAlgorithm {
  const [name] = Object.entries(ALGORITHMS).find(([, number]) => number === alg) ?? []
  if (name !== undefined) return name as CoseAlgorithm
  const known = Object.entries(ALGORITHMS).map(([known, number]) => `${number} (${known})`)
  throw malformedList(`its protected header has no alg of ${known.join(', ')}`)
}

/** A `kid` names a verification method if it is its URL; other key ids name none. */
function methodUrl(kid: unknown): string | undefined {
  const text = isBytes(kid) ? Buffer.from(kid).toString() : undefined
  return text !== undefined && /^(did:|#)/.test(text) ? text : undefined
}

/** One certificate by itself, or several in a list, the leaf first (RFC 9360 2). */
function chainTexts(x5chain: unknown): string[] | undefined {
  const chain: unknown[] = Array.isArray(x5chain) ? x5chain : [x5chain]
  return chain.every(isBytes) ? chain.map((der) => Buffer.from(der).toString('base64')) : undefined
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array
const isMap = (value: unknown): value is Map<unknown, unknown> => value instanceof Map
