import { isJsonObject, parseForeignJson } from '@vidimus/core-types'
import type { DIDDocument, JsonWebKey, Service, VerificationMethod } from 'did-resolver'
import type { LedgerDidDoc, LedgerService, LedgerVerificationMethod } from './messages.js'

export const DID_CONTEXT = 'https://www.w3.org/ns/did/v1'

const TYPE_CONTEXTS: Readonly<Record<string, string>> = {
  Ed25519VerificationKey2018: 'https://w3id.org/security/suites/ed25519-2018/v1',
  Ed25519VerificationKey2020: 'https://w3id.org/security/suites/ed25519-2020/v1',
  JsonWebKey2020: 'https://w3id.org/security/suites/jws-2020/v1',
  LinkedDomains: 'https://identity.foundation/.well-known/did-configuration/v1',
}

/** The DID document of W3C DID Core, as cheqd's resolver writes it; empty members are omitted. */
export function toDidDocument(doc: LedgerDidDoc): DIDDocument {
  return {
    '@context': contexts(doc),
    id: doc.id,
    ...present('controller', doc.controller),
    ...present('verificationMethod', doc.verificationMethod.map(toVerificationMethod)),
    ...present('authentication', doc.authentication),
    ...present('assertionMethod', doc.assertionMethod.map(toAssertionMethod)),
    ...present('capabilityInvocation', doc.capabilityInvocation),
    ...present('capabilityDelegation', doc.capabilityDelegation),
    ...present('keyAgreement', doc.keyAgreement),
    ...present('service', doc.service.map(toService)),
    ...present('alsoKnownAs', doc.alsoKnownAs),
  }
}

/** DID Core 6.3.1 requires its own context first; those that the document names are kept, and required ones added. */
function contexts(doc: LedgerDidDoc): string[] {
  const types = [
    ...doc.verificationMethod.map((method) => method.verificationMethodType),
    ...doc.service.map((service) => service.serviceType),
  ]
  const needed = types.flatMap((type) =>
    Object.hasOwn(TYPE_CONTEXTS, type) ? (TYPE_CONTEXTS[type] ?? []) : [],
  )
  return [...new Set([DID_CONTEXT, ...doc.context, ...needed])]
}

function present<Name extends string, T>(name: Name, values: T[]): Partial<Record<Name, T[]>> {
  return values.length > 0 ? ({ [name]: values } as Record<Name, T[]>) : {}
}

function toVerificationMethod(method: LedgerVerificationMethod): VerificationMethod {
  const { id, verificationMethodType: type, controller, verificationMaterial: material } = method
  switch (type) {
    case 'Ed25519VerificationKey2018':
      return { id, type, controller, publicKeyBase58: material }
    case 'JsonWebKey2020': {
      // An invalid JWK belongs to nobody, and must not break the rest of the document.
      const publicKeyJwk = parseObject(material) as JsonWebKey | undefined
      return { id, type, controller, ...(publicKeyJwk && { publicKeyJwk }) }
    }
    default:
      return { id, type, controller, publicKeyMultibase: material }
  }
}

/** An embedded assertion method is stored as JSON text in a quoted string, and its JWK as text once more. */
function toAssertionMethod(value: string): string | VerificationMethod {
  const embedded = embeddedObject(value)
  if (!embedded) return value
  const { id, type, controller, publicKeyJwk, ...others } = embedded
  const jwk = typeof publicKeyJwk === 'string' ? parseObject(publicKeyJwk) : undefined
  return {
    id: asText(id),
    type: asText(type),
    controller: asText(controller),
    ...others,
    ...(publicKeyJwk === undefined ? {} : { publicKeyJwk: (jwk ?? publicKeyJwk) as JsonWebKey }),
  }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : '')

/** The object of a quoted JSON text; `undefined` for everything else. */
function embeddedObject(value: string): Record<string, unknown> | undefined {
  const text = value.startsWith('"') ? parseJson(value) : undefined
  return typeof text === 'string' ? parseObject(text) : undefined
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  return isJsonObject(value) ? value : undefined
}

function parseJson(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch {
    return undefined
  }
}

function toService(service: LedgerService): Service {
  const { id, serviceType: type, serviceEndpoint, recipientKeys, routingKeys, accept, priority } = service
  const [endpoint] = serviceEndpoint
  return {
    id,
    type,
    serviceEndpoint: serviceEndpoint.length === 1 && endpoint !== undefined ? endpoint : serviceEndpoint,
    ...present('recipientKeys', recipientKeys),
    ...present('routingKeys', routingKeys),
    ...present('accept', accept),
    ...(priority === 0 ? {} : { priority }),
  }
}
