import type { Service, VerificationMethod, DIDDocument } from 'did-resolver'
import { AgentError, LAST_TIME_MS } from '@vidimus/core-types'
import { DereferenceRefusal, notFound } from './dereference-refusal.js'
import type { VersionChoice } from './dereference-target.js'
import type { Ledger } from './ledger.js'
import type { DidDocMetadata, DidDocWithMetadata, LedgerDidDoc } from './messages.js'
import {
  encodeVerificationMaterial,
  publicKeyOf,
  type VerificationMethodType,
} from './verification-material.js'

/** A version of a document, and when it was replaced. */
export interface ChosenVersion extends DidDocWithMetadata {
  until?: Date
}

/**
 * The version that is asked for: the one of an id, or the newest that was there at a time.
 *
 * @throws DereferenceRefusal `notFound`
 */
export async function chosenVersion(
  did: string,
  { versionId, versionTime }: VersionChoice,
  ledger: Ledger,
): Promise<ChosenVersion> {
  const version = foundVersion(await findVersion(did, { versionId, versionTime }, ledger))
  const { nextVersionId } = version.metadata
  if ((versionId === undefined && !versionTime) || nextVersionId === '') return version
  const next = await ledger.getDidDoc(did, nextVersionId)
  return next ? { ...version, until: documentTime(next.metadata) } : version
}

/**
 * The version with an id, if it existed at a time; or the newest one that existed then. Metadata shows times in whole
 * seconds (DID Core 7.3), so a version counts from the beginning of its second.
 */
export function findVersion(
  did: string,
  { versionId, versionTime }: { [Name in keyof VersionChoice]: VersionChoice[Name] | undefined },
  ledger: Ledger,
): Promise<DidDocWithMetadata | undefined> {
  return versionTime
    ? findVersionBefore(secondAfter(versionTime), did, versionId, ledger)
    : ledger.getDidDoc(did, versionId)
}

async function findVersionBefore(
  before: Date,
  did: string,
  versionId: string | undefined,
  ledger: Ledger,
): Promise<DidDocWithMetadata | undefined> {
  if (versionId === undefined) {
    const found = await ledger.findDidDocVersion(did, before)
    return found && ledger.getDidDoc(did, found.versionId)
  }
  const version = await ledger.getDidDoc(did, versionId)
  return version && documentTime(version.metadata) >= before ? undefined : version
}

function foundVersion(version: DidDocWithMetadata | undefined): DidDocWithMetadata {
  if (version) return version
  throw notFound('the DID or version does not exist on the ledger')
}

const documentTime = ({ created, updated }: DidDocMetadata): Date => updated ?? created

/** The beginning of the second after a time; for the last second that can be written, its end. */
export const secondAfter = (time: Date): Date =>
  new Date(Math.min((Math.floor(time.getTime() / 1000) + 1) * 1000, LAST_TIME_MS))

/**
 * The document with its verification methods converted to another type.
 *
 * @throws DereferenceRefusal `representationNotSupported` if a key does not fit into that type
 */
export const withKeysAs = (type: VerificationMethodType, didDoc: LedgerDidDoc): LedgerDidDoc => ({
  ...didDoc,
  verificationMethod: didDoc.verificationMethod.map((method) => {
    if (method.verificationMethodType === type) return method
    const key = publicKeyOf(method)
    try {
      if (key) {
        const verificationMaterial = encodeVerificationMaterial(type, key)
        return { ...method, verificationMethodType: type, verificationMaterial }
      }
    } catch (error) {
      if (!(error instanceof AgentError)) throw error
    }
    throw new DereferenceRefusal(
      'representationNotSupported',
      `the key of ${method.id} cannot be written as ${type}`,
    )
  }),
})

/**
 * The verification method or the service with a fragment, including embedded verification methods.
 *
 * @returns `undefined` if there is none
 */
export function fragmentPart(
  document: DIDDocument,
  fragment: string,
): VerificationMethod | Service | undefined {
  const embedded = [
    document.authentication,
    document.assertionMethod,
    document.keyAgreement,
    document.capabilityInvocation,
    document.capabilityDelegation,
  ]
    .flatMap((methods) => methods ?? [])
    .filter((method) => typeof method !== 'string')
  return [...(document.verificationMethod ?? []), ...(document.service ?? []), ...embedded].find(
    ({ id }) => id === `${document.id}#${fragment}` || id === `#${fragment}`,
  )
}

/**
 * The endpoint of a service, with a relative reference appended.
 *
 * @throws DereferenceRefusal `notFound` for a missing service, or one without an endpoint; `invalidDidUrl` if the
 *   reference would lead to another host
 */
export function serviceUri(didDoc: LedgerDidDoc, service: string, relativeRef: string): string {
  const found = didDoc.service.find(({ id }) => id === `${didDoc.id}#${service}`)
  const [endpoint] = found?.serviceEndpoint ?? []
  const base = endpoint === undefined ? undefined : parseUri(endpoint)
  if (endpoint === undefined || !base) throw notFound('the document has no such service with an endpoint')
  const uri = parseUri(endpoint + relativeRef)
  if (!uri || urlAuthority(uri) !== urlAuthority(base)) {
    throw new DereferenceRefusal('invalidDidUrl', 'relativeRef leaves the service endpoint')
  }
  return uri.href
}

const urlAuthority = ({ protocol, username, password, host }: URL): string =>
  JSON.stringify([protocol, username, password, host])

function parseUri(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
