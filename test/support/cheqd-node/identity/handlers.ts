import { createHash } from 'node:crypto'
import {
  detectMediaType,
  type DidDocMetadata,
  type DidDocWithMetadata,
  type LedgerDidDoc,
  type LedgerMessage,
  type LedgerVerificationMethod,
  type ResourceMetadata,
  type SignInfo,
} from '@vidimus/ledger'
import { latestDidDoc } from '../latest-document.js'
import { moduleRefusal } from '../refusal.js'
import { lineKey, resourceKey, versionKey, type StateOverlay } from '../state.js'
import { isEscapedJson } from './embedded.js'
import { told } from './faults.js'
import { normalDid, normalId, normalUrl, partsOf, reassembled } from './ids.js'
import { isSignedBy } from './keys.js'
import { faultsOf } from './message-rules.js'

type Message<Type extends LedgerMessage['type'] = LedgerMessage['type']> = Extract<
  LedgerMessage,
  { type: Type }
>

/** A message on its way through its handler. */
export interface Call {
  /** of the chain */
  namespace: string
  /** of the block */
  time: Date
  state: StateOverlay
  /** what signatures cover */
  bytes: Uint8Array
}

/** @throws Refusal `cheqd` 1205: told already when a transaction is checked */
export function checkBasics(message: LedgerMessage): void {
  const faults = message.type === 'createResource' ? undefined : faultsOf(message)
  if (faults) throw moduleRefusal('cheqd', 1205, told(faults))
}

/**
 * What `x/did` and `x/resource` do with a message.
 *
 * @throws Refusal with the code of the module
 */
export function handle(
  call: Call,
  message: LedgerMessage,
): { didDoc: DidDocWithMetadata } | { resource: ResourceMetadata } {
  checkBasics(message)
  const normal = normalised(message)
  switch (normal.type) {
    case 'createDidDoc':
      return { didDoc: create(call, normal) }
    case 'updateDidDoc':
      return { didDoc: update(call, normal) }
    case 'deactivateDidDoc':
      return { didDoc: deactivate(call, normal) }
    case 'createResource':
      return { resource: publish(call, normal) }
  }
}

function normalised(message: LedgerMessage): LedgerMessage {
  const signatures = message.signatures.map((one) => ({
    ...one,
    verificationMethodId: normalUrl(one.verificationMethodId),
  }))
  if (message.type === 'createResource') {
    const { collectionId, id } = message.payload
    return {
      ...message,
      signatures,
      payload: { ...message.payload, collectionId: normalId(collectionId), id: id.toLowerCase() },
    }
  }
  const ids = { id: normalDid(message.payload.id), versionId: message.payload.versionId.toLowerCase() }
  if (message.type === 'deactivateDidDoc') return { ...message, signatures, payload: ids }
  return { ...message, signatures, payload: { ...normalDocument(message.payload), ...ids } }
}

function normalDocument(doc: LedgerDidDoc): LedgerDidDoc {
  return {
    ...doc,
    controller: doc.controller.map(normalDid),
    verificationMethod: doc.verificationMethod.map((method) => ({
      ...method,
      id: normalUrl(method.id),
      controller: normalDid(method.controller),
    })),
    authentication: doc.authentication.map(normalUrl),
    assertionMethod: doc.assertionMethod.map((text) => (isEscapedJson(text) ? text : normalUrl(text))),
    capabilityInvocation: doc.capabilityInvocation.map(normalUrl),
    capabilityDelegation: doc.capabilityDelegation.map(normalUrl),
    keyAgreement: doc.keyAgreement.map(normalUrl),
    service: doc.service.map((service) => ({ ...service, id: normalUrl(service.id) })),
  }
}

function checkNamespace({ namespace }: Call, message: LedgerMessage): void {
  const faults = faultsOf(message, namespace)
  if (faults) throw moduleRefusal('cheqd', 1206, told(faults))
}

function create(call: Call, message: Message<'createDidDoc'>): DidDocWithMetadata {
  const { versionId, ...didDoc } = message.payload
  if (latestDidDoc(call.state, didDoc.id)) throw moduleRefusal('cheqd', 1200, didDoc.id)
  checkNamespace(call, message)
  const find = (did: string) => (did === didDoc.id ? didDoc : documentOf(call, did))
  checkControllers(didDoc, find)
  checkEverySignature(call, message.signatures, signersFor(didDoc), find)
  return append(call, didDoc, { created: call.time, deactivated: false, versionId })
}

function update(call: Call, message: Message<'updateDidDoc'>): DidDocWithMetadata {
  checkNamespace(call, message)
  const { versionId, ...payload } = message.payload
  const latest = latestDidDoc(call.state, payload.id)
  if (!latest) throw moduleRefusal('cheqd', 1201, `${payload.id}: not found`)
  if (latest.metadata.deactivated) throw moduleRefusal('cheqd', 1207, payload.id)
  checkControllers(payload, (did) => (did === payload.id ? payload : documentOf(call, did)))
  checkOneSignatureEach(call, message.signatures, partiesOf(latest.didDoc, payload), {
    before: latest.didDoc,
    after: payload,
  })
  // All of these texts are taken for DID URLs here.
  const assertionMethod = payload.assertionMethod.map((text) => reassembled(partsOf(text)))
  const { created } = latest.metadata
  return append(
    call,
    { ...payload, assertionMethod },
    { created, updated: call.time, deactivated: false, versionId },
  )
}

function deactivate(call: Call, message: Message<'deactivateDidDoc'>): DidDocWithMetadata {
  const { id, versionId } = message.payload
  const latest = latestDidDoc(call.state, id)
  if (!latest) throw moduleRefusal('cheqd', 1201, id)
  checkNamespace(call, message)
  if (latest.metadata.deactivated) throw moduleRefusal('cheqd', 1207, id)
  checkEverySignature(call, message.signatures, signersFor(latest.didDoc), (did) => documentOf(call, did))
  const { created } = latest.metadata
  const written = append(call, latest.didDoc, { created, updated: call.time, deactivated: true, versionId })
  for (const version of call.state.get('didVersions', id) ?? []) {
    changeVersion(call.state, id, version, { deactivated: true })
  }
  return written
}

function publish(call: Call, message: Message<'createResource'>): ResourceMetadata {
  const { data, ...described } = message.payload
  const { collectionId, id, name, resourceType } = described
  const did = `did:cheqd:${call.namespace}:${collectionId}`
  const owner = latestDidDoc(call.state, did)
  if (!owner) throw moduleRefusal('sdk', 38, did)
  checkNamespace(call, message)
  if (owner.metadata.deactivated) throw moduleRefusal('cheqd', 1207, did)
  if (call.state.get('resource', resourceKey(collectionId, id))) throw moduleRefusal('resource', 2200, id)
  checkEverySignature(call, message.signatures, signersFor(owner.didDoc), (signer) =>
    documentOf(call, signer),
  )
  if (name.includes('\0')) throw moduleRefusal('resource', 2500, 'collections: encoding error: key encode')
  const line = lineKey(collectionId, name, resourceType)
  const previousVersionId = call.state.get('latestResource', line) ?? ''
  const metadata: ResourceMetadata = {
    ...described,
    alsoKnownAs: [...described.alsoKnownAs, { uri: `${did}/resources/${id}`, description: 'did-url' }],
    mediaType: detectMediaType(data),
    created: call.time,
    checksum: createHash('sha256').update(data).digest('hex'),
    previousVersionId,
    nextVersionId: '',
  }
  linkResource(call.state, metadata)
  call.state.set('resource', resourceKey(collectionId, id), { data, metadata })
  call.state.set('latestResource', line, id)
  call.state.set('resourceCount', '', (call.state.get('resourceCount', '') ?? 0) + 1)
  call.state.set('collection', collectionId, [...(call.state.get('collection', collectionId) ?? []), id])
  return metadata
}

function linkResource(state: StateOverlay, { collectionId, id, previousVersionId }: ResourceMetadata): void {
  const at = resourceKey(collectionId, previousVersionId)
  const previous = state.get('resource', at)
  if (previous)
    state.set('resource', at, { ...previous, metadata: { ...previous.metadata, nextVersionId: id } })
}

type Find = (did: string) => LedgerDidDoc | undefined

const documentOf = ({ state }: Call, did: string) => latestDidDoc(state, did)?.didDoc

const inOrder = (values: readonly string[]) =>
  [...new Set(values)].sort((one, other) => (one < other ? -1 : 1))

const controllersOf = ({ verificationMethod }: LedgerDidDoc) =>
  verificationMethod.map(({ controller }) => controller)

const ownersOf = ({ controller, id }: LedgerDidDoc) => (controller.length > 0 ? controller : [id])

/** Who signs for a document as it stands. */
export const signersFor = (doc: LedgerDidDoc) => inOrder([...ownersOf(doc), ...controllersOf(doc)])

function checkControllers(doc: LedgerDidDoc, find: Find): void {
  const missing = inOrder([...doc.controller, ...controllersOf(doc)]).find((did) => !find(did))
  if (missing !== undefined) throw moduleRefusal('cheqd', 1201, missing)
}

const signedBy = (signatures: readonly SignInfo[], did: string) =>
  signatures.filter(({ verificationMethodId }) => partsOf(verificationMethodId).did === did)

const methodOf = (doc: LedgerDidDoc | undefined, id: string) =>
  doc?.verificationMethod.find((method) => method.id === id)

function checkEverySignature(
  call: Call,
  signatures: readonly SignInfo[],
  signers: readonly string[],
  find: Find,
): void {
  for (const signer of signers) {
    const own = signedBy(signatures, signer)
    if (own.length === 0) throw moduleRefusal('cheqd', 1101, `signer: ${signer}`)
    for (const { verificationMethodId: id, signature } of own) {
      const method = methodOf(find(signer), id)
      if (!method) throw moduleRefusal('cheqd', 1202, id)
      if (!isSignedBy(method, call.bytes, signature)) throw moduleRefusal('cheqd', 1100, `method id: ${id}`)
    }
  }
}

/** Who has a say in an update; of the document's own DID both versions have one, told apart by a mark behind it. */
interface Party {
  did: string
  as: 'before' | 'after' | undefined
}

function partiesOf(before: LedgerDidDoc, after: LedgerDidDoc): Party[] {
  const [changed, changing] = [changedMethods(before, after), changedMethods(after, before)]
  const old = [...ownersOf(before), ...changed.map(({ controller }) => controller)]
  const now = [...ownersOf(after), ...changing.map(({ controller }) => controller)]
  const others = [...old, ...now]
    .filter((did) => did !== after.id)
    .map((did): Party => ({ did, as: undefined }))
  const own = [
    ...(old.includes(after.id) ? (['before'] as const) : []),
    ...(now.includes(after.id) ? (['after'] as const) : []),
  ].map((as): Party => ({ did: after.id, as }))
  const named = new Map(
    [...others, ...own].map((party) => [party.did + (party.as === 'after' ? '-' : ''), party]),
  )
  return inOrder([...named.keys()]).flatMap((name) => named.get(name) ?? [])
}

/** Of those of an update, whose keys are looked up in what is there. */
export const oldPartiesOf = (before: LedgerDidDoc, after: LedgerDidDoc): string[] =>
  partiesOf(before, after)
    .filter(({ as }) => as !== 'after')
    .map((party) => party.did)

/** The methods of a document that the other one has not, or not like this. */
function changedMethods(doc: LedgerDidDoc, other: LedgerDidDoc): LedgerVerificationMethod[] {
  const there = new Map(other.verificationMethod.map((method) => [partsOf(method.id).fragment, method]))
  const written = (method: LedgerVerificationMethod | undefined) =>
    JSON.stringify([
      method?.id,
      method?.verificationMethodType,
      method?.controller,
      method?.verificationMaterial,
    ])
  return doc.verificationMethod.filter(
    (method) => written(method) !== written(there.get(partsOf(method.id).fragment)),
  )
}

function checkOneSignatureEach(
  call: Call,
  signatures: readonly SignInfo[],
  parties: readonly Party[],
  versions: { before: LedgerDidDoc; after: LedgerDidDoc },
): void {
  for (const { did, as } of parties) {
    const marks = { before: ' (old version)', after: ' (new version)' }
    const name = did + (as ? marks[as] : '')
    const own = signedBy(signatures, did)
    if (own.length === 0)
      throw moduleRefusal('cheqd', 1101, `there should be at least one signature by ${name}`)
    const doc = as ? versions[as] : documentOf(call, did)
    const isValid = ({ verificationMethodId, signature }: SignInfo) => {
      const method = methodOf(doc, verificationMethodId)
      return method && isSignedBy(method, call.bytes, signature)
    }
    if (!own.some(isValid)) {
      throw moduleRefusal('cheqd', 1100, `there should be at least one valid signature by ${name}`)
    }
  }
}

function append(
  { state }: Call,
  didDoc: LedgerDidDoc,
  described: Omit<DidDocMetadata, 'nextVersionId' | 'previousVersionId'>,
): DidDocWithMetadata {
  const { id } = didDoc
  const { versionId } = described
  const versions = state.get('didVersions', id) ?? []
  if (versions.includes(versionId)) {
    const detail = `diddoc version already exists for did ${id}, version ${versionId}: DID Doc exists`
    throw moduleRefusal('cheqd', 1500, detail)
  }
  const previousVersionId = versions.at(-1) ?? ''
  changeVersion(state, id, previousVersionId, { nextVersionId: versionId })
  const written = { didDoc, metadata: { ...described, previousVersionId, nextVersionId: '' } }
  if (versions.length === 0) state.set('didCount', '', (state.get('didCount', '') ?? 0) + 1)
  state.set('didVersions', id, [...versions, versionId])
  state.set('didDoc', versionKey(id, versionId), written)
  return written
}

function changeVersion(
  state: StateOverlay,
  did: string,
  versionId: string,
  change: Partial<DidDocMetadata>,
): void {
  const version = state.get('didDoc', versionKey(did, versionId))
  if (!version) return
  const metadata = { ...version.metadata, ...change }
  state.set('didDoc', versionKey(did, versionId), { ...version, metadata })
}
