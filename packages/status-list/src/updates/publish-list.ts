import {
  asBuffer,
  byListEngine,
  inSpan,
  markOfListEngine,
  tellAccount,
  type LinkedResourceCreateArgs,
  type StatusListEnvelope,
  type ToldChange,
  type StatusListLocation,
  type StatusListType,
} from '@vidimus/core-types'
import type { WritingContext } from '../agent-context.js'
import { decodedList, type DocumentedList } from '../versions/decoded-list.js'
import { certificatesOfKey } from '@vidimus/verification-methods'
import { headerOf } from '../encoding/compact-jwt.js'
import { signCwt } from './sign-cwt.js'
import { resourceNameOf, type PublishedLists } from '../versions/published-lists.js'
import { CWT_HEADER } from '../types/token-status-cwt.js'
import { SIGNED_FOR } from '../versions/version-order.js'

/** The next version of a list. */
export interface Publication extends Pick<
  LinkedResourceCreateArgs,
  'resourceVersion' | 'alsoKnownAs' | 'expectedPrevious'
> {
  type: StatusListType
  location: StatusListLocation
  doc: unknown
  /** what the document holds; they belong to the published list from now on */
  bits: Uint8Array
  /** of the new version, which is signed as this one and no other */
  resourceId: string
  now: Date
  /** what the account is told of it */
  told?: ToldChange | undefined
  /** what was asked for, each once; of the first version nothing */
  actions?: readonly string[]
  /** when the version before was signed, in seconds since 1970: no version is signed earlier than the one before */
  signedAfter?: number | undefined
}

/**
 * Publishes a document as the next version of its list: signs it where its type secures lists, and hands it to the
 * ledger.
 *
 * @throws AgentError as `didJwtCreate` and `linkedResourceCreate` do, `version_conflict` above all
 */
export function publishList(
  { type, location, doc, bits, now, told, actions = [], signedAfter = 0, ...options }: Publication,
  lists: PublishedLists,
  context: WritingContext,
): Promise<DocumentedList> {
  return inSpan('statusList.publish', { 'vidimus.status_list.type': type.type }, async () => {
    const envelope = type.secure?.(doc, location, now)
    const publisher = await lists.publisherOf(type, location, context)
    const iat = Math.max(Math.floor(now.getTime() / 1000), signedAfter)
    const jwt = envelope && (await signed(envelope, { did: location.did, iat, ...options }, context))
    const content = type.serialise(doc, jwt)
    // what is answered from now on is read from the very bytes that are published
    const parsed = type.parse(content)
    const list = decodedList(type, parsed, bits)
    const data = asBuffer(content).toString('base64url')
    const version = byListEngine(
      { ...resourceNameOf(location), data, ...options },
      { actions, ...(told && { told }) },
    )
    const { cost: _cost, ...metadata } = await context.agent.linkedResourceCreate(version)
    // By an agent's own way of creating resources it may not have been told.
    const left = markOfListEngine(version)?.told
    if (left) await tellAccount(left.events, left.event, 'of a version of a status list')
    const published = { metadata, list, doc: parsed }
    lists.remember(type, location, published, publisher)
    lists.counts.versions.add(1, type.type)
    return published
  })
}

/** The JWT of a version, which holds the data that its CWT is rebuilt from where the type has one. */
async function signed(
  envelope: StatusListEnvelope,
  version: { did: string; iat: number; resourceId: string },
  context: WritingContext,
): Promise<string> {
  const { typ, header, payload, cwt, takesCertificates = false } = envelope
  const { did, iat, resourceId } = version
  const ofVersion = { typ, [SIGNED_FOR]: resourceId }
  if (!cwt && !takesCertificates) {
    return context.agent.didJwtCreate({
      did,
      payload: { ...payload, iat },
      header: { ...header, ...ofVersion },
    })
  }
  const held = await context.agent.didHeldKey({ did, act: 'assertionMethod' })
  const certificate = takesCertificates ? await certificatesOfKey(held.key.kid, context) : undefined
  const named = certificate?.signsStatusLists ? certificate : undefined
  // Lists are never held up by certificates that have expired: revoking goes on, and verifiers judge.
  const claims = { ...payload, ...(named && { iss: named.issuer }), iat }
  const x5c = named?.certificateChain
  const signedCwt = cwt && (await signCwt(held, cwt.typ, cwt.payload(claims), context, x5c))
  const jwt = await context.agent.didJwtCreate({
    did,
    payload: claims,
    header: { ...header, ...(x5c && { x5c }), ...(signedCwt && { [CWT_HEADER]: signedCwt }), ...ofVersion },
  })
  // Another key may sign for the DID meanwhile, whose certificates these are not.
  return x5c && headerOf(jwt).kid !== held.methodId ? signed(envelope, version, context) : jwt
}
