import { BOUNDS, isJsonObject } from '@vidimus/core-types'
import { readEmbeddedMethod } from './did-document.js'
import { isUuid, normaliseDidUrl } from './identifiers.js'
import type { DeactivatePayload, DidDocPayload, LedgerService, LedgerVerificationMethod } from './messages.js'
import type { RuleFindings } from './rule-findings.js'
import { isVerificationMethodType, verificationMaterialProblem } from './verification-material.js'

const ASSERTION_METHOD_FORM =
  'assertionMethod should be a valid DIDUrl or an Escaped JSON string with id, type and controller values'

/** The rules for a document by itself (`DidDoc.Validate` of cheqd-node). */
export function checkDidDocPayload(payload: DidDocPayload, findings: RuleFindings): void {
  const { id } = payload
  findings.did(['payload', 'id'], id)
  findings.dids(['payload', 'controller'], payload.controller)
  checkVerificationMethods(payload, findings)
  for (const name of [
    'authentication',
    'capabilityInvocation',
    'capabilityDelegation',
    'keyAgreement',
  ] as const) {
    findings.didUrls(['payload', name], payload[name], id)
  }
  checkAssertionMethods(payload, findings)
  checkServices(payload, findings)
  const aliases = ['payload', 'alsoKnownAs']
  findings.uniqueTexts(aliases, payload.alsoKnownAs, 'there should be no duplicates')
  payload.alsoKnownAs.forEach((uri, n) => findings.text([...aliases, n], uri))
  payload.context.forEach((uri, n) => findings.text(['payload', 'context', n], uri))
  findings.required(['payload', 'versionId'], payload.versionId)
  findings.text(['payload', 'versionId'], payload.versionId)
}

/** The rules for a deactivation by itself. */
export function checkDeactivatePayload({ id, versionId }: DeactivatePayload, findings: RuleFindings): void {
  findings.did(['payload', 'id'], id)
  findings.required(['payload', 'versionId'], versionId)
  if (!isUuid(versionId)) findings.report(['payload', 'versionId'], 'must be a UUID')
}

function checkVerificationMethods(payload: DidDocPayload, findings: RuleFindings): void {
  const path = ['payload', 'verificationMethod']
  const ids = payload.verificationMethod.map((method) => normaliseDidUrl(method.id))
  findings.uniqueTexts(path, ids, 'there are verification method duplicates')
  payload.verificationMethod.forEach((method, n) => {
    checkVerificationMethod(method, [...path, n], payload.id, findings)
  })
}

function checkVerificationMethod(
  method: LedgerVerificationMethod,
  path: readonly (string | number)[],
  subject: string,
  findings: RuleFindings,
): void {
  const { id, verificationMethodType: type, controller, verificationMaterial: material } = method
  findings.required([...path, 'id'], id)
  findings.didUrl([...path, 'id'], id, subject)
  findings.required([...path, 'controller'], controller)
  findings.did([...path, 'controller'], controller)
  findings.required([...path, 'verificationMethodType'], type)
  findings.required([...path, 'verificationMaterial'], material)
  if (!isVerificationMethodType(type)) {
    findings.report([...path, 'verificationMethodType'], 'must be a valid value')
    return
  }
  const problem = verificationMaterialProblem(type, material)
  if (problem !== undefined) findings.report([...path, 'verificationMaterial'], problem)
}

function checkAssertionMethods(payload: DidDocPayload, findings: RuleFindings): void {
  const path = ['payload', 'assertionMethod']
  const values = payload.assertionMethod.map((value) =>
    value.startsWith('"') ? value : normaliseDidUrl(value),
  )
  findings.uniqueTexts(path, values, 'there should be no duplicates')
  const known = new Set(payload.verificationMethod.map(({ id }) => id))
  payload.assertionMethod.forEach((value, n) => {
    if (value.startsWith('"')) checkEmbeddedMethod(value, [...path, n], payload.id, findings)
    else {
      findings.didUrl([...path, n], value, payload.id)
      if (!known.has(value)) {
        findings.report(
          [...path, n],
          "assertionMethod should be a valid key reference within the DID document's verification method",
        )
      }
    }
  })
}

/** The key of an embedded method is not looked at by the ledger, as nothing is ever verified with it there. */
function checkEmbeddedMethod(
  value: string,
  path: readonly (string | number)[],
  subject: string,
  findings: RuleFindings,
): void {
  const method = readEmbeddedMethod(value)
  if (!method || !isEmbeddedMethod(method)) {
    findings.report(path, ASSERTION_METHOD_FORM)
    return
  }
  findings.didUrl([...path, 'id'], method.id, subject)
  findings.did([...path, 'controller'], method.controller)
}

/** The types of `AssertionMethodJSONUnescaped` of cheqd-node. */
function isEmbeddedMethod(
  method: Record<string, unknown>,
): method is Record<string, unknown> & { id: string; type: string; controller: string } {
  const optionalTexts = ['publicKeyBase58', 'publicKeyMultibase', 'publicKeyJwk']
  return (
    ['id', 'type', 'controller'].every((name) => typeof method[name] === 'string') &&
    optionalTexts.every((name) => method[name] === undefined || typeof method[name] === 'string') &&
    (method.metadata === undefined || isJsonObject(method.metadata))
  )
}

function checkServices(payload: DidDocPayload, findings: RuleFindings): void {
  const path = ['payload', 'service']
  const ids = payload.service.map((service) => normaliseDidUrl(service.id))
  findings.uniqueTexts(path, ids, 'there are service duplicates')
  payload.service.forEach((service, n) => {
    checkService(service, [...path, n], payload.id, findings)
  })
}

function checkService(
  service: LedgerService,
  path: readonly (string | number)[],
  subject: string,
  findings: RuleFindings,
): void {
  const { id, serviceType, serviceEndpoint, priority } = service
  findings.required([...path, 'id'], id)
  findings.didUrl([...path, 'id'], id, subject)
  findings.required([...path, 'serviceType'], serviceType)
  findings.text([...path, 'serviceType'], serviceType)
  findings.byteLength([...path, 'serviceType'], serviceType, BOUNDS.serviceTypeBytes)
  serviceEndpoint.forEach((endpoint, n) => findings.required([...path, 'serviceEndpoint', n], endpoint))
  for (const name of ['serviceEndpoint', 'recipientKeys', 'routingKeys', 'accept'] as const) {
    service[name].forEach((value, n) => findings.text([...path, name, n], value))
  }
  if (!Number.isInteger(priority) || priority < 0 || priority > BOUNDS.servicePriority) {
    findings.report([...path, 'priority'], 'must be an unsigned number of 32 bits')
  }
}
