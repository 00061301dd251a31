import { isSameKey } from '@vidimus/verification-methods'
import { isDeepStrictEqual } from 'node:util'
import { AgentError, parseForeignJson, problemsError } from '@vidimus/core-types'
import {
  documentBoundProblems,
  encodeVerificationMaterial,
  fromDidDocument,
  isVerificationMethodType,
  normaliseDidUrl,
  VERIFICATION_METHOD_TYPES,
  type LedgerDidDoc,
  type LedgerService,
  type LedgerVerificationMethod,
} from '@vidimus/ledger'
import type { DIDDocument, IKey } from '@veramo/core-types'
import { RELATIONSHIPS, type Relationship } from './create-options.js'
import { keyOfMethod } from './held-keys.js'

/** How a key is added to a DID document. */
export interface CheqdAddKeyOptions {
  /** default: Ed25519VerificationKey2020 for Ed25519 keys, JsonWebKey2020 for Secp256r1 keys */
  verificationMethodType?: string
  /** the relationships of the key; default authentication and assertionMethod */
  relationships?: readonly Relationship[]
  /** before all others in these, so that it becomes the signing key; also if the document has it already */
  first?: boolean
}

const DEFAULT_RELATIONSHIPS: readonly Relationship[] = ['authentication', 'assertionMethod']

/**
 * The whole new document of an update. Ids may be relative; unchanged key material keeps its spelling, as the ledger
 * compares it as text and would consider it a changed key.
 *
 * @throws AgentError `invalid_input` with every problem, at paths that begin with `document`
 */
export function replaceDidDoc(current: LedgerDidDoc, document: Partial<DIDDocument>): LedgerDidDoc {
  const next = readDidDocument({ ...document, id: document.id ?? current.id }, current.id)
  if (next.id !== current.id) throw atPath('document.id', `must be ${current.id}`)
  return {
    ...next,
    verificationMethod: next.verificationMethod.map((method) => keepSpelling(method, current)),
  }
}

/**
 * The changed document.
 *
 * @throws AgentError `invalid_input` with every bound that it is over, and grows beyond
 */
export function withinBounds(next: LedgerDidDoc, current: LedgerDidDoc): LedgerDidDoc {
  const problems = documentBoundProblems(next, current)
  if (problems.length === 0) return next
  throw problemsError(
    'invalid_input',
    problems.map(({ path, message }) => ({ path: pathIn('document', path), message })),
  )
}

/** The place in a DID document for the ledger's name of a member. */
export const pathIn = (document: string, path: string): string =>
  [document, path === 'context' ? '@context' : path].filter((step) => step !== '').join('.')

function readDidDocument(document: DIDDocument, did: string): LedgerDidDoc {
  try {
    return withAbsoluteIds(fromDidDocument(document), did)
  } catch (error) {
    if (!(error instanceof AgentError)) throw error
    throw problemsError(
      error.code,
      error.details.map(({ path, message }) => ({ path: path ? `document.${path}` : 'document', message })),
    )
  }
}

/** The ledger only accepts absolute DID URLs; relative ones mean the document itself (DID Core 3.2.2). */
function withAbsoluteIds(doc: LedgerDidDoc, did: string): LedgerDidDoc {
  const absolute = (url: string) => (url.startsWith('#') ? did + url : normaliseDidUrl(url))
  const embeddedAside = (url: string) => (url.startsWith('"') ? url : absolute(url))
  return {
    ...doc,
    id: normaliseDidUrl(doc.id),
    controller: doc.controller.map(normaliseDidUrl),
    verificationMethod: doc.verificationMethod.map((method) => ({
      ...method,
      id: absolute(method.id),
      controller: normaliseDidUrl(method.controller),
    })),
    authentication: doc.authentication.map(absolute),
    assertionMethod: doc.assertionMethod.map(embeddedAside),
    capabilityInvocation: doc.capabilityInvocation.map(absolute),
    capabilityDelegation: doc.capabilityDelegation.map(absolute),
    keyAgreement: doc.keyAgreement.map(absolute),
    service: doc.service.map((service) => ({ ...service, id: absolute(service.id) })),
  }
}

function keepSpelling(method: LedgerVerificationMethod, current: LedgerDidDoc): LedgerVerificationMethod {
  const before = current.verificationMethod.find(({ id }) => id === method.id)
  if (before?.verificationMethodType !== 'JsonWebKey2020') return method
  if (method.verificationMethodType !== 'JsonWebKey2020') return method
  const same = isSameJson(before.verificationMaterial, method.verificationMaterial)
  return same ? { ...method, verificationMaterial: before.verificationMaterial } : method
}

function isSameJson(one: string, other: string): boolean {
  try {
    return isDeepStrictEqual(parseForeignJson(one), parseForeignJson(other))
  } catch {
    return one === other
  }
}

/**
 * The document with one more key, under the first free `#key-<n>`; the same document if it has the key already.
 *
 * @throws AgentError `invalid_input` for keys that the ledger does not support
 */
export function withKey(doc: LedgerDidDoc, key: IKey, options: CheqdAddKeyOptions = {}): LedgerDidDoc {
  const known = doc.verificationMethod.find((method) => keyOfMethod(method, [key]))
  if (known) return options.first ? moveToFront(doc, known.id, options.relationships) : doc
  const type = options.verificationMethodType ?? defaultMethodType(key)
  if (!isVerificationMethodType(type)) {
    const types = VERIFICATION_METHOD_TYPES.join(', ')
    throw atPath('options.verificationMethodType', `must be one of ${types}`)
  }
  const relationships = options.relationships ?? DEFAULT_RELATIONSHIPS
  const unknown = relationships.find((name) => !RELATIONSHIPS.includes(name))
  if (unknown !== undefined) {
    throw atPath('options.relationships', `"${String(unknown)}" is none of ${RELATIONSHIPS.join(', ')}`)
  }
  const method = {
    id: freeMethodId(doc),
    controller: doc.id,
    verificationMethodType: type,
    verificationMaterial: encodeVerificationMaterial(type, key),
  }
  const added = { ...doc, verificationMethod: [...doc.verificationMethod, method] }
  if (options.first) return moveToFront(added, method.id, relationships)
  return mapRelationships(added, (references, name) =>
    relationships.includes(name) ? [...references, method.id] : references,
  )
}

/** @returns the same document if it is there */
function moveToFront(
  doc: LedgerDidDoc,
  id: string,
  relationships: readonly Relationship[] = DEFAULT_RELATIONSHIPS,
): LedgerDidDoc {
  if (relationships.every((name) => doc[name][0] === id)) return doc
  return mapRelationships(doc, (references, name) =>
    relationships.includes(name) ? [id, ...references.filter((other) => other !== id)] : references,
  )
}

const defaultMethodType = ({ type }: IKey) =>
  type === 'Secp256r1' ? 'JsonWebKey2020' : 'Ed25519VerificationKey2020'

function freeMethodId(doc: LedgerDidDoc): string {
  const taken = new Set([...doc.verificationMethod, ...doc.service].map(({ id }) => id))
  let number = doc.verificationMethod.length + 1
  while (taken.has(`${doc.id}#key-${number}`)) number++
  return `${doc.id}#key-${number}`
}

/**
 * The document without a key and without every reference to it.
 *
 * @throws AgentError `key_not_found` if the document does not have it; `invalid_input` if nothing would be left to
 *   control the DID with
 */
export function withoutKey(doc: LedgerDidDoc, key: IKey): LedgerDidDoc {
  const isKey = (method: LedgerVerificationMethod) => keyOfMethod(method, [key]) !== undefined
  const removed = new Set(doc.verificationMethod.filter(isKey).map(({ id }) => id))
  if (removed.size === 0) throw keyNotInDocument()
  const verificationMethod = doc.verificationMethod.filter(({ id }) => !removed.has(id))
  const controlsItself = doc.controller.length === 0 || doc.controller.includes(doc.id)
  if (controlsItself && verificationMethod.length === 0) {
    throw atPath(
      'kid',
      'is the last key of the DID; without it nobody could control the DID. Deactivate the DID instead',
    )
  }
  return mapRelationships({ ...doc, verificationMethod }, (references) =>
    references.filter((reference) => !removed.has(reference)),
  )
}

export const keyNotInDocument = (): AgentError =>
  atPath('kid', 'is not a key in the DID document', 'key_not_found')

/** @throws AgentError `invalid_input` if the id is taken */
export function withService(doc: LedgerDidDoc, service: LedgerService): LedgerDidDoc {
  const taken = [...doc.service, ...doc.verificationMethod].some(({ id }) => id === service.id)
  if (taken) throw atPath('service.id', `${service.id} is already in the DID document`)
  return { ...doc, service: [...doc.service, service] }
}

/** @throws AgentError `invalid_input` if the document has no such service */
export function withoutService(doc: LedgerDidDoc, id: string): LedgerDidDoc {
  const service = doc.service.filter((other) => other.id !== id)
  if (service.length === doc.service.length) throw atPath('id', `${id} is not a service of the DID document`)
  return { ...doc, service }
}

/**
 * The account's keys after an update: those that left the document are dropped, new ones are added.
 *
 * @param before - `undefined`: the ledger is ahead of the account, so that keys missing from the document have left
 *   it
 */
export function keysAfter(
  before: LedgerDidDoc | undefined,
  after: LedgerDidDoc,
  held: readonly IKey[],
  found: readonly IKey[],
): IKey[] {
  const stands = (doc: LedgerDidDoc, key: IKey) =>
    doc.verificationMethod.some((method) => keyOfMethod(method, [key]))
  const kept = held.filter((key) => stands(after, key) || (before && !stands(before, key)))
  return [...kept, ...found.filter((key) => !kept.some((other) => isSameKey(key, other)))]
}

function mapRelationships(
  doc: LedgerDidDoc,
  change: (references: string[], name: Relationship) => string[],
): LedgerDidDoc {
  const changed = RELATIONSHIPS.map((name) => [name, change(doc[name], name)] as const)
  return { ...doc, ...(Object.fromEntries(changed) as Record<Relationship, string[]>) }
}

function atPath(
  path: string,
  message: string,
  code: 'invalid_input' | 'key_not_found' = 'invalid_input',
): AgentError {
  return problemsError(code, [{ path, message }])
}
