import type {
  DeactivatePayload,
  DidDocPayload,
  LedgerMessage,
  LedgerService,
  LedgerVerificationMethod,
  ResourcePayload,
  SignInfo,
} from '@vidimus/ledger'
import { NO_METHOD, readEmbedded, unquoted } from './embedded.js'
import { blank, lengthFault, ofList, ofMembers, repeated, type Fault, type Faults } from './faults.js'
import { didFault, isUuid, normalId, urlFault } from './ids.js'
import { materialFault } from './keys.js'

const TYPES = ['JsonWebKey2020', 'Ed25519VerificationKey2020', 'Ed25519VerificationKey2018']
const DUPLICATES = 'there should be no duplicates'
const RESOURCE_BYTES = 2 * 1024 * 1024

/** What is wrong with a message by itself. @param namespace - of the ledger, once it is looked at there */
export function faultsOf(message: LedgerMessage, namespace?: string): Faults | undefined {
  return ofMembers({
    payload: payloadFault(message, namespace),
    signatures: signaturesFault(message, namespace),
  })
}

function payloadFault(message: LedgerMessage, namespace: string | undefined): Fault | undefined {
  switch (message.type) {
    case 'createDidDoc':
    case 'updateDidDoc':
      return (
        documentFault(message.payload, namespace) ??
        ofMembers({ version_id: blank(message.payload.versionId) })
      )
    case 'deactivateDidDoc':
      return deactivationFault(message.payload, namespace)
    case 'createResource':
      return resourceFault(message.payload)
  }
}

function signaturesFault(
  { type, signatures }: LedgerMessage,
  namespace: string | undefined,
): Fault | undefined {
  const ids = signatures.map(({ verificationMethodId }) => verificationMethodId)
  const pairs = signatures.map(
    ({ verificationMethodId, signature }) =>
      `${verificationMethodId}:${Buffer.from(signature).toString('base64')}`,
  )
  const whole =
    type === 'createDidDoc'
      ? repeated(ids, 'there are sign info records with the same ID')
      : repeated(pairs, 'there are full sign info duplicates')
  return ofList(signatures, whole, ({ verificationMethodId: id, signature }: SignInfo) =>
    ofMembers({ verification_method_id: blank(id) ?? urlFault(id, namespace), signature: blank(signature) }),
  )
}

function documentFault(payload: DidDocPayload, namespace: string | undefined): Fault | undefined {
  const { id } = payload
  const urls = (values: readonly string[]) =>
    ofList(values, repeated(values, DUPLICATES), (url) => urlFault(url, namespace, id))
  const idsOf = (values: readonly { id: string }[]) => values.map((value) => value.id)
  return ofMembers({
    id: blank(id) ?? didFault(id, namespace),
    controller: ofList(payload.controller, repeated(payload.controller, DUPLICATES), (did) =>
      didFault(did, namespace),
    ),
    verification_method: ofList(
      payload.verificationMethod,
      repeated(idsOf(payload.verificationMethod), 'there are verification method duplicates'),
      (method) => methodFault(method, id, namespace),
    ),
    authentication: urls(payload.authentication),
    assertion_method: ofList(
      payload.assertionMethod,
      repeated(payload.assertionMethod, DUPLICATES),
      (value) => assertionFault(value, payload, namespace, true),
    ),
    capability_invocation: urls(payload.capabilityInvocation),
    capability_delegation: urls(payload.capabilityDelegation),
    key_agreement: urls(payload.keyAgreement),
    service: ofList(
      payload.service,
      repeated(idsOf(payload.service), 'there are service duplicates'),
      (service) => serviceFault(service, id, namespace),
    ),
    also_known_as: repeated(payload.alsoKnownAs, DUPLICATES),
  })
}

const methodFault = (method: LedgerVerificationMethod, subject: string, namespace: string | undefined) =>
  ofMembers({
    id: blank(method.id) ?? urlFault(method.id, namespace, subject),
    controller: blank(method.controller) ?? didFault(method.controller, namespace),
    type:
      blank(method.verificationMethodType) ??
      (TYPES.includes(method.verificationMethodType) ? undefined : 'must be a valid value'),
    verification_material: TYPES.includes(method.verificationMethodType)
      ? (blank(method.verificationMaterial) ?? materialFault(method))
      : undefined,
  })

const serviceFault = (service: LedgerService, subject: string, namespace: string | undefined) =>
  ofMembers({
    id: blank(service.id) ?? urlFault(service.id, namespace, subject),
    type: blank(service.serviceType) ?? lengthFault(service.serviceType, 255),
    service_endpoint: ofList(service.serviceEndpoint, undefined, blank),
  })

/** @param isListed - whether it stands in the document itself, where a URL names one of its methods */
function assertionFault(
  value: string,
  payload: DidDocPayload,
  namespace: string | undefined,
  isListed: boolean,
): Fault | undefined {
  const json = unquoted(value)
  if (json) return embeddedFault(json, payload, namespace)
  if (urlFault(value, namespace, payload.id) !== undefined) return NO_METHOD
  if (!isListed || payload.verificationMethod.some(({ id }) => id === value)) return undefined
  return "assertionMethod should be a valid key reference within the DID document's verification method"
}

function embeddedFault(
  json: Buffer,
  payload: DidDocPayload,
  namespace: string | undefined,
): Fault | undefined {
  const embedded = readEmbedded(json)
  if (typeof embedded === 'string') return embedded
  const { id, type, controller, materials } = embedded
  const isListed = payload.verificationMethod.some(
    (method) =>
      [method.id, method.verificationMethodType, method.controller].join() ===
        [id, type, controller].join() && materials.includes(method.verificationMaterial),
  )
  if (isListed) return 'assertionMethod should be a unique inline key fragment definition'
  return ofMembers({
    id: blank(id) ?? assertionFault(id, payload, namespace, false),
    controller: blank(controller) ?? didFault(controller, namespace),
  })
}

function uuidFault(id: string): string | undefined {
  if (isUuid(id)) return undefined
  return Buffer.byteLength(id) === 36
    ? 'invalid UUID format'
    : 'uuid must be of length 36 (in form of xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx)'
}

const deactivationFault = ({ id, versionId }: DeactivatePayload, namespace: string | undefined) =>
  ofMembers({
    id: blank(id) ?? didFault(id, namespace),
    version_id: blank(versionId) ?? uuidFault(versionId),
  })

const resourceFault = (payload: ResourcePayload) =>
  ofMembers({
    resourceCollectionId: blank(payload.collectionId) ?? collectionFault(payload.collectionId),
    resourceId: blank(payload.id) ?? uuidFault(payload.id),
    resourceName: blank(payload.name) ?? lengthFault(payload.name, 64),
    resourceVersion: lengthFault(payload.version, 64),
    resourceType: blank(payload.resourceType) ?? lengthFault(payload.resourceType, 64),
    resourceAlternativeUri: ofList(payload.alsoKnownAs, undefined, ({ uri, description }) =>
      ofMembers({ uri: blank(uri) ?? lengthFault(uri, 256), description: lengthFault(description, 128) }),
    ),
    data: blank(payload.data) ?? lengthFault(payload.data, RESOURCE_BYTES),
  })

const collectionFault = (id: string) => didFault(`did:cheqd:x:${normalId(id)}`)
