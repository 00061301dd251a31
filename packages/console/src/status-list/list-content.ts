import { isObject } from '../parts/is-object.js'
import { bytesOfBase64, bytesOfHex, textOfBase64Url } from './text-encodings.js'

/** The text and the colour of a value. */
export interface Meaning {
  text: string
  tone: 'unset' | 'revoked' | 'suspended' | 'other'
}

/** The types of which lists can be drawn; further ones come with plugins of the service. */
export const DRAWN_TYPES: readonly string[] = ['BitstringStatusList', 'StatusList2021', 'TokenStatusList']

/** The order of an entry's bits in the bytes of a list; see docs/status-lists.md. */
export type BitOrder = 'msb' | 'lsb' | 'lsb-in-entry'

/** The content of a published list. */
export interface ListLayout {
  /** bits of an entry, 1 to 8 */
  statusSize: number
  order: BitOrder
  purposes: readonly string[]
  /** the meaning of its own values */
  messages: ReadonlyMap<number, string>
  encrypted: boolean
  /** entries, if the list states it; otherwise as many as its bits contain */
  length?: number
  /** what the service reports about the values of a type that is not known here, in place of purposes and messages */
  reported?: {
    meanings: ReadonlyMap<number, Meaning>
    /** named actions that are possible, by value */
    actions: ReadonlyMap<number, readonly string[]>
  }
}

/** A published list, its bits still compressed. */
export interface ListContent {
  layout: ListLayout
  compression: 'gzip' | 'deflate'
  compressed: Uint8Array
}

/** Content of an unknown type of list. */
export class UnknownList extends Error {
  override readonly name = 'UnknownList'
}

/**
 * Reads a published list by its form: a Status List Token (IETF), a `BitstringStatusListCredential` as `vc+jwt`
 * (W3C), the JSON of StatusList2021, or the older JSON of Bitstring lists. Nothing is verified here: the service's
 * check decides.
 *
 * @throws UnknownList
 */
export function readContent(content: unknown): ListContent {
  try {
    return parseContent(content)
  } catch (cause) {
    if (cause instanceof UnknownList) throw cause
    // no base64
    throw new UnknownList('its bits are damaged', { cause })
  }
}

function parseContent(content: unknown): ListContent {
  const document = typeof content === 'string' ? parseClaims(content) : content
  const [token, bitstring] = [at(document, 'status_list'), at(document, 'credentialSubject')]
  if (token) return tokenList(token)
  if (bitstring) return bitstringList(bitstring)
  const [list2021, older] = [at(document, 'StatusList2021'), at(document, 'bitstringStatusListCredential')]
  const metadata = at(document, 'metadata') ?? {}
  if (list2021) return statusList2021(list2021, metadata)
  const subject = at(older, 'credentialSubject')
  if (subject) return olderBitstringList(subject, metadata)
  throw new UnknownList('its form is not supported here')
}

type Members = Record<string, unknown>

function tokenList(list: Members): ListContent {
  const statusSize = readSize(list.bits, 1)
  const purposes = statusSize === 1 ? ['revocation'] : ['revocation', 'suspension']
  return {
    layout: { statusSize, order: 'lsb', purposes, messages: TOKEN_MESSAGES, encrypted: false },
    compression: 'deflate',
    compressed: bytesOfBase64(textOrNothing(list.lst)),
  }
}

/** The specification's names of token status values (section 7.1). */
const TOKEN_MESSAGES: ReadonlyMap<number, string> = new Map([
  [1, 'revoked'],
  [2, 'suspended'],
])

function bitstringList(list: Members): ListContent {
  return {
    layout: {
      statusSize: readSize(list.statusSize, 1),
      order: 'msb',
      purposes: readPurposes(list.statusPurpose),
      messages: readMessages(list.statusMessages),
      encrypted: list.encryption !== undefined,
    },
    compression: 'gzip',
    // behind the multibase prefix
    compressed: bytesOfBase64(textOrNothing(list.encodedList).slice(1)),
  }
}

function statusList2021(list: Members, metadata: Members): ListContent {
  const encoded = textOrNothing(list.encodedList)
  return {
    layout: {
      statusSize: 1,
      order: 'msb',
      purposes: readPurposes(list.statusPurpose),
      messages: new Map(),
      encrypted: metadata.encrypted === true,
    },
    compression: 'gzip',
    compressed: metadata.encoding === 'hex' ? bytesOfHex(encoded) : bytesOfBase64(encoded),
  }
}

function olderBitstringList(list: Members, metadata: Members): ListContent {
  const { length } = metadata
  return {
    layout: {
      statusSize: readSize(metadata.statusSize, 2),
      order: metadata.bitOrder === 'msb' ? 'msb' : 'lsb-in-entry',
      purposes: readPurposes(list.statusPurpose),
      messages: readMessages(metadata.statusMessages),
      encrypted: metadata.encrypted === true,
      ...(typeof length === 'number' && { length }),
    },
    compression: 'gzip',
    compressed: bytesOfBase64(textOrNothing(list.encodedList)),
  }
}

function parseClaims(jwt: string): unknown {
  const [, payload] = jwt.trim().split('.')
  try {
    return JSON.parse(textOfBase64Url(payload ?? '')) as unknown
  } catch {
    throw new UnknownList('its form is not supported here')
  }
}

function at(value: unknown, name: string): Members | undefined {
  const member = isObject(value) ? value[name] : undefined
  return isObject(member) ? member : undefined
}

function textOrNothing(value: unknown): string {
  if (typeof value === 'string') return value
  throw new UnknownList('it has no bits')
}

function readSize(value: unknown, otherwise: number): number {
  const size = value ?? otherwise
  if (typeof size === 'number' && Number.isInteger(size) && size >= 1 && size <= 8) return size
  throw new UnknownList('the width of its entries is unknown')
}

const readPurposes = (value: unknown): string[] =>
  [value].flat().filter((purpose) => typeof purpose === 'string')

function readMessages(value: unknown): Map<number, string> {
  const list: unknown[] = Array.isArray(value) ? value : []
  return new Map(
    list
      .filter(isObject)
      .filter(({ message }) => message !== 'undefined')
      .map(({ status, message }) => [Number(status), String(message)]),
  )
}
