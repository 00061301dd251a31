import { isJsonObject, type StatusListLocation, type StatusListType } from '@vidimus/core-types'
import { documentSource, signerOfDid } from '@vidimus/verification-methods'
import { z } from 'zod'
import type { ListAddresses } from '../addresses/list-addresses.js'
import type { ReadingContext } from '../agent-context.js'
import { headerOf } from '../encoding/compact-jwt.js'
import { verifiedCredential } from '../strangers/verify-foreign.js'
import { malformedList, parseJsonAs, unlessMalformed } from '../types/malformed-list.js'
import { CWT_MEDIA_TYPE } from '../types/token-status-cwt.js'
import type { DecodedList } from '../versions/decoded-list.js'
import { distrusted, securingFailure } from '../versions/envelope-verification.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { SIGNED_FOR } from '../versions/version-order.js'

export interface CopyReaders {
  types: readonly StatusListType[]
  lists: PublishedLists
  addresses: ListAddresses
  context: ReadingContext
}

/** A published version of a list that is kept somewhere else, verified. */
export interface PublishedCopy {
  location: StatusListLocation
  list: DecodedList
  /** of the version, if its signature names it */
  resourceId?: string
  /** in seconds since 1970, if it is signed */
  signedAt?: number
}

/** A copy that was read, and whose list is known by what it says itself. */
interface ReadCopy {
  type: StatusListType
  doc: unknown
  /** absent: it says nothing about that */
  url?: string
  resourceId?: string
  signedAt?: number
  /** @throws AgentError `invalid_credential` and the like */
  verify: (location: StatusListLocation) => Promise<void>
}

/**
 * Reads a copy of a list in any form in which this service publishes it, and verifies it by the current document of its
 * publisher.
 *
 * @param at - of which list it is, if its place says that: then it need not be signed
 * @throws AgentError `malformed_list`, `invalid_credential`, `list_encrypted`
 */
export async function readCopy(
  content: Uint8Array,
  at: StatusListLocation | undefined,
  readers: CopyReaders,
): Promise<PublishedCopy> {
  const { type, doc, url, verify, ...version } = parsedCopy(content, at, readers)
  const location = url === undefined ? at : await readers.addresses.locate(url)
  if (!location)
    throw refused(
      url === undefined ? 'it does not say which list it is' : `"${url}" is no list of this service`,
    )
  if (at && !isSame(at, location)) throw refused(`it claims to be the list "${String(url)}"`)
  await verify(location)
  const list = await readers.lists.decodeCopy(type, location, doc)
  if (list.locked) throw list.locked
  return { location, list, ...version }
}

function parsedCopy(
  content: Uint8Array,
  at: StatusListLocation | undefined,
  { types, context }: CopyReaders,
): ReadCopy {
  const unwrapped = jwtOfEnvelope(content) ?? content
  const fitting = types.filter((type) => !at || type.resourceTypes().includes(at.resourceType))
  for (const type of fitting) {
    const copy =
      unlessMalformed(() => asPublished(type, unwrapped, context)) ??
      unlessMalformed(() => asCwt(type, content, context)) ??
      unlessMalformed(() => asCredential(type, content, context))
    if (copy) return copy
  }
  throw malformedList('it is in none of the forms in which lists are published')
}

function asPublished(type: StatusListType, content: Uint8Array, context: ReadingContext): ReadCopy {
  const doc = type.parse(content)
  const securing = type.securingOf?.(doc)
  if (!securing) return { type, doc, verify: () => Promise.resolve() }
  const { jwt, id: url, signedAt } = securing
  const signedFor = headerOf(jwt)[SIGNED_FOR]
  return {
    type,
    doc,
    ...(url !== undefined && { url }),
    ...(signedAt !== undefined && { signedAt }),
    ...(typeof signedFor === 'string' && { resourceId: signedFor }),
    verify: async (location) => {
      const failure = await securingFailure(securing, location, context)
      if (failure) throw failure.error
    },
  }
}

/** @throws AgentError `malformed_list` */
function asCwt(type: StatusListType, content: Uint8Array, context: ReadingContext): ReadCopy {
  if (!type.readForeign || !type.foreignMediaTypes?.includes(CWT_MEDIA_TYPE))
    throw malformedList('it has no CWT')
  const foreign = type.readForeign(content)
  if (!('doc' in foreign) || typeof foreign.secured === 'string') throw malformedList('it is not a CWT')
  const { doc, id: url, secured } = foreign
  const { claims } = doc as { claims?: { iat?: unknown } }
  return {
    type,
    doc,
    url,
    ...(typeof claims?.iat === 'number' && { signedAt: claims.iat }),
    verify: async ({ did }) => {
      await signerOfDid(secured, did, 'assertionMethod', documentSource(context))
    },
  }
}

/** The form with an embedded proof. @throws AgentError `malformed_list` */
function asCredential(type: StatusListType, content: Uint8Array, context: ReadingContext): ReadCopy {
  const credential = parseJsonAs(z.looseObject({ id: z.string(), iat: z.number() }), content, 'it')
  if (!type.embedsProofs || !type.ofCredential) throw malformedList('it has no embedded proof')
  const { id: url, iat: signedAt } = credential
  return {
    type,
    doc: type.ofCredential(credential),
    url,
    signedAt,
    verify: async ({ did }) => {
      const { issuer } = await verifiedCredential(credential, context)
      if (issuer !== did) throw refused(`its issuer is "${issuer}", but "${did}" published it`)
    },
  }
}

const DATA_URL = 'data:application/vc+jwt,'

/** The JWT in a credential as JSON that envelops it. */
function jwtOfEnvelope(content: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(content).toString()
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    const parsed: unknown = JSON.parse(text)
    const id = isJsonObject(parsed) ? parsed.id : undefined
    return typeof id === 'string' && id.startsWith(DATA_URL)
      ? Buffer.from(id.slice(DATA_URL.length))
      : undefined
  } catch {
    return undefined
  }
}

const isSame = (one: StatusListLocation, other: StatusListLocation): boolean =>
  one.did === other.did &&
  one.statusListName === other.statusListName &&
  one.resourceType === other.resourceType

const refused = (reason: string) => distrusted(reason).error
