import {
  AgentError,
  type LinkedResourceMetadata,
  type StatusListLayout,
  type StatusListType,
} from '@vidimus/core-types'
import { entriesIn } from '../encoding/entries.js'
import type { SecuringFailure } from './envelope-verification.js'
import { malformedList } from '../types/malformed-list.js'

/** The public properties of a list. */
export interface ListFacts {
  readonly layout: StatusListLayout
  /** index 0 to `entries - 1` are in the list; 0 if it cannot be decrypted */
  readonly entries: number
  /** of its bits; 0 if it cannot be decrypted */
  readonly bytes: number
  /** the minimum of entries */
  readonly least: number
  /** whether its publisher has signed it; unsigned lists are trusted because of where they are published */
  readonly secured: boolean
  /** when that was, in seconds since 1970, if it is stated */
  readonly signedAt?: number
  /** its own identity, if it states one */
  readonly id?: string
  /** why its bits must not be trusted */
  readonly failure?: SecuringFailure
  /** why it cannot be decrypted here */
  readonly locked?: AgentError
}

/**
 * A list as it was published: read, decoded and verified. It must not be modified; writers work on a copy of the
 * bits.
 */
export interface DecodedList extends ListFacts {
  /** also of encrypted lists: code that takes them out of a {@link PublishedList} has decided who may see them */
  readonly bits: Uint8Array
}

/** A version of a list, with its place in the history. */
export interface PublishedList {
  readonly metadata: LinkedResourceMetadata
  readonly list: ListFacts
}

/** A version together with its document. */
export interface DocumentedList extends PublishedList {
  readonly doc: unknown
}

/**
 * @param minForeign - the minimum of entries of a list that a third party serves; absent for other lists
 * @throws AgentError `malformed_list` if there are fewer entries than the document or the type says
 */
export function decodedList(
  type: StatusListType,
  doc: unknown,
  bits: Uint8Array,
  minForeign?: number,
): DecodedList {
  const described = type.describe(doc)
  const layout = minForeign === undefined ? described : { ...described, foreign: true as const }
  const facts = { layout, bytes: bits.length, least: minForeign ?? type.minLength }
  return { ...facts, bits, entries: entriesOf(facts), ...signingFacts(type, doc) }
}

/**
 * The list as an entry reads it that states a width.
 *
 * @throws AgentError `malformed_list` if there are fewer entries of this width than the document or the type says
 */
export function withWidth(list: ListFacts, statusSize = list.layout.statusSize): ListFacts {
  if (statusSize === list.layout.statusSize) return list
  const layout = { ...list.layout, statusSize }
  return { ...list, layout, entries: entriesOf({ ...list, layout }) }
}

/** Why an entry, or a caller, that states a width does not fit a list. */
export function widthConflict(
  { statesSize, statusSize: width }: Pick<StatusListLayout, 'statesSize' | 'statusSize'>,
  stated: number | undefined,
): string | undefined {
  if (stated === undefined || stated === width || statesSize === false) return undefined
  return `${stated}, but the entries of the list have ${width === 1 ? 'one bit' : `${width} bits`}`
}

function entriesOf({ layout, bytes, least }: Pick<ListFacts, 'layout' | 'bytes' | 'least'>): number {
  const room = entriesIn({ length: bytes }, layout.statusSize)
  const entries = layout.length ?? room
  if (entries > room) throw malformedList(`it has bits for only ${room} of its ${entries} entries`)
  if (entries >= least) return entries
  const remedy = layout.foreign ? '; minForeignEntries of the status-list plugin in agent.yml lowers it' : ''
  throw malformedList(`it has ${entries} entries, fewer than the minimum ${least}${remedy}`)
}

export function signingFacts(
  type: StatusListType,
  doc: unknown,
): Pick<ListFacts, 'secured' | 'signedAt' | 'id'> {
  const securing = type.securingOf?.(doc)
  const { signedAt, id } = securing ?? {}
  return {
    secured: securing !== undefined,
    ...(signedAt !== undefined && { signedAt }),
    ...(id !== undefined && { id }),
  }
}

/**
 * The list, if everyone may read its bits. Paying accounts use `ListAccess`.
 *
 * @throws AgentError `list_encrypted`
 */
export function openList({ list, metadata }: PublishedList): DecodedList {
  if (!list.layout.encrypted) return decodedFrom(list)
  throw new AgentError('list_encrypted', `the status list "${metadata.resourceName}" is encrypted`)
}

/**
 * The list, encrypted or not; for callers that hold the DID that publishes it.
 *
 * @throws AgentError `list_encrypted` if it cannot be decrypted here
 */
export function openOwnList({ list }: Pick<PublishedList, 'list'>): DecodedList {
  if (list.locked) throw list.locked
  return decodedFrom(list)
}

/** Every list here is decoded; its type hides the bits from code that did not ask for them. */
const decodedFrom = (list: ListFacts): DecodedList => list as DecodedList
