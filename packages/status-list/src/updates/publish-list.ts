import {
  asBuffer,
  inSpan,
  signedAgain,
  signerLeft,
  type DIDHolding,
  type LinkedResourceCreateArgs,
  type StatusListEnvelope,
  type ToldChange,
  type StatusListLocation,
  type StatusListType,
  type WithVersion,
  AgentError,
  signingAlgorithmOf,
  type HeldKey,
} from '@vidimus/core-types'
import { certificatesOfKey } from '@vidimus/verification-methods'
import { encode } from 'cborg'
import { publishingAct, withHolding, type WritingContext } from '../agent-context.js'
import { decodedList, type DocumentedList } from '../versions/decoded-list.js'
import { heldVersion, listResourceName, type PublishedLists } from '../versions/published-lists.js'
import { CWT_HEADER } from '../types/token-status-cwt.js'
import { PROOF_HEADER } from '../types/w3c-bitstring-layout.js'
import { SIGNED_FOR } from '../versions/version-order.js'
import { coseAlgorithm, HEADER, signedBytes } from '../encoding/cose-sign1.js'
import { embeddedProof } from './embedded-proof.js'

/** The next version of a list. */
export interface Publication extends Pick<
  LinkedResourceCreateArgs,
  'resourceVersion' | 'alsoKnownAs' | 'expectedPrevious'
> {
  type: StatusListType
  location: StatusListLocation
  doc: unknown
  /** the content of the document; owned by the published list from now on */
  bits: Uint8Array
  /** of the new version, whose signature covers it */
  resourceId: string
  now: Date
  /** reported to the account */
  told?: ToldChange | undefined
  /** the requested actions, each once; empty for the first version */
  actions?: readonly string[]
  /** what its callers record with it */
  records?: readonly WithVersion[]
  /** when the previous version was signed, in seconds since 1970: no version is signed earlier than its predecessor */
  signedAfter?: number | undefined
}

/**
 * Publishes a document as the next version of its list: signs it if its type secures lists, and passes it to the
 * ledger. For an account that holds the DID: if its key leaves the document meanwhile, another one signs.
 *
 * @throws AgentError as `didHolding`, `linkedResourcePublish` and `signedAgain` do, in particular `version_conflict`
 */
export function publishList(
  publication: Publication,
  lists: PublishedLists,
  context: WritingContext,
): Promise<DocumentedList> {
  const { type, location } = publication
  let known = context.holding?.did === location.did ? context.holding : undefined
  const publish = async () => {
    const held = known
      ? { ...context, holding: known }
      : await withHolding(location.did, publishingAct(type), context)
    // Another document needs another one.
    known = undefined
    return publishOnce(publication, lists, held)
  }
  return signedAgain(location.did, publish, { wasHeld: true })
}

type HoldingContext = WritingContext & { readonly holding: DIDHolding }

function publishOnce(
  {
    type,
    location,
    doc,
    bits,
    now,
    told,
    actions = [],
    records = [],
    signedAfter = 0,
    ...options
  }: Publication,
  lists: PublishedLists,
  context: HoldingContext,
): Promise<DocumentedList> {
  return inSpan('statusList.publish', { 'vidimus.status_list.type': type.type }, async () => {
    const envelope = type.secure?.(doc, location, now)
    const iat = Math.max(Math.floor(now.getTime() / 1000), signedAfter)
    const jwt = envelope && (await signed(envelope, { iat, ...options }, context))
    const content = type.serialise(doc, jwt)
    // from now on results are read from exactly the bytes that are published
    const parsed = type.parse(content)
    const list = decodedList(type, parsed, bits)
    const data = asBuffer(content).toString('base64url')
    const { did: _did, ...name } = listResourceName(location)
    const recorded = { told, actions, records }
    const version = { ...name, ...options, ...recorded, holding: context.holding, data }
    const { cost: _cost, ...metadata } = await context.agent.linkedResourcePublish(version)
    const published = { metadata, list, doc: parsed }
    lists.remember(type, location, published, heldVersion(context.holding))
    lists.counts.versions.add(1, type.type)
    return published
  })
}

interface SignedVersion extends Pick<Publication, 'resourceId' | 'expectedPrevious'> {
  iat: number
}

/** The JWT of a version, which contains the data to rebuild its other forms. */
async function signed(
  envelope: StatusListEnvelope,
  version: SignedVersion,
  context: HoldingContext,
): Promise<string> {
  const { typ, header, payload, cwt, takesCertificates = false } = envelope
  const { iat, resourceId } = version
  const { holding, agent } = context
  const { did, key, methodId } = holding
  const certificate = takesCertificates ? await certificatesOfKey(key.kid, did, context) : undefined
  const named = certificate?.signsStatusLists ? certificate : undefined
  // Expired certificates never block a list: revocation continues, and verifiers decide.
  const claims = { ...payload, ...(named && { iss: named.issuer }), iat }
  const x5c = named?.certificateChain
  const proof = envelope.embedsProof ? await embeddedProof(claims, { did, ...version }, context) : undefined
  // Another key signs for the DID by now: a rotation must find both signatures made by the same one.
  if (proof && proof.verificationMethod !== methodId) throw signerLeft(did)
  const signedCwt = cwt && (await signCwt(holding, cwt.typ, cwt.payload(claims), context, x5c))
  return agent.didSign({
    holding,
    payload: claims,
    header: {
      ...header,
      ...(proof !== undefined && { [PROOF_HEADER]: proof }),
      ...(x5c && { x5c }),
      ...(signedCwt && { [CWT_HEADER]: signedCwt }),
      typ,
      [SIGNED_FOR]: resourceId,
    },
  })
}

const SIGNATURE_BYTES = 64

/**
 * Signs the payload of a CWT as a `COSE_Sign1`, with a key with which the account in scope holds the DID.
 *
 * @returns the parts of the CWT besides its payload, in base64url
 * @throws AgentError as the KMS does
 */
async function signCwt(
  { methodId, key }: HeldKey,
  typ: string,
  payload: Uint8Array,
  { agent }: WritingContext,
  x5c?: readonly string[],
): Promise<{ protected: string; signature: string }> {
  const algorithm = signingAlgorithmOf(key.type)
  const header = encode(
    new Map<number, unknown>([
      [HEADER.alg, coseAlgorithm(algorithm)],
      [HEADER.kid, new TextEncoder().encode(methodId)],
      [HEADER.type, typ],
      ...(x5c ? [[HEADER.x5chain, x5chainOf(x5c)] as const] : []),
    ]),
  )
  const data = Buffer.from(signedBytes(header, payload)).toString('hex')
  const signature = await agent.keyManagerSign({ keyRef: key.kid, data, encoding: 'hex', algorithm })
  if (Buffer.from(signature, 'base64url').length !== SIGNATURE_BYTES) {
    throw new AgentError('internal_error', `the KMS "${key.kms}" returned a signature of unknown form`)
  }
  return { protected: Buffer.from(header).toString('base64url'), signature }
}

/** A single certificate, or a list of them (RFC 9360 2). */
function x5chainOf(x5c: readonly string[]): Uint8Array | Uint8Array[] {
  const chain = x5c.map((one) => new Uint8Array(Buffer.from(one, 'base64')))
  const [leaf, ...others] = chain
  return leaf && others.length === 0 ? leaf : chain
}
