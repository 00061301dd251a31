import { BOUNDS } from '@vidimus/core-types'
import {
  ASSERTION_METHOD_FORM,
  MalformedMethodError,
  quotedContent,
  readEmbeddedMethod,
  type EmbeddedMethod,
} from './embedded-method.js'
import { isUuid } from './identifiers.js'
import type { DeactivatePayload, DidDocPayload, LedgerService, LedgerVerificationMethod } from './messages.js'
import type { RuleFindings } from './rule-findings.js'
import { isVerificationMethodType, ledgerMaterialProblem } from './verification-material.js'

type Path = readonly (string | number)[]

/**
 * The rules for a document by itself (`DidDoc.Validate` of cheqd-node).
 *
 * @param materials - whether to check keys, which is expensive and never depends on the namespace
 */
export function checkDidDocPayload(payload: DidDocPayload, findings: RuleFindings, materials: boolean): void {
  const { id } = payload
  findings.required(['payload', 'id'], id)
  findings.did(['payload', 'id'], id)
  findings.dids(['payload', 'controller'], payload.controller)
  checkVerificationMethods(payload, findings, materials)
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
  // The node does not check it if anything else of the document is wrong.
  if (findings.isEmpty) findings.required(['payload', 'versionId'], payload.versionId)
}

/** The rules for a deactivation by itself. */
export function checkDeactivatePayload({ id, versionId }: DeactivatePayload, findings: RuleFindings): void {
  findings.required(['payload', 'id'], id)
  findings.did(['payload', 'id'], id)
  findings.required(['payload', 'versionId'], versionId)
  checkUuid(['payload', 'versionId'], versionId, findings)
}

export function checkUuid(path: Path, id: string, findings: RuleFindings): void {
  if (isUuid(id)) return
  const isOfItsLength = Buffer.byteLength(id) === 36
  findings.report(
    path,
    isOfItsLength
      ? 'invalid UUID format'
      : 'uuid must be of length 36 (in form of xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx)',
  )
}

function checkVerificationMethods(payload: DidDocPayload, findings: RuleFindings, materials: boolean): void {
  const path = ['payload', 'verificationMethod']
  const ids = payload.verificationMethod.map((method) => method.id)
  findings.uniqueTexts(path, ids, 'there are verification method duplicates')
  payload.verificationMethod.forEach((method, n) => {
    checkVerificationMethod(method, [...path, n], payload.id, findings)
    if (materials) checkMaterial(method, [...path, n], findings)
  })
}

function checkVerificationMethod(
  { id, verificationMethodType: type, controller }: LedgerVerificationMethod,
  path: Path,
  subject: string,
  findings: RuleFindings,
): void {
  findings.required([...path, 'id'], id)
  findings.didUrl([...path, 'id'], id, subject)
  findings.required([...path, 'controller'], controller)
  findings.did([...path, 'controller'], controller)
  findings.required([...path, 'verificationMethodType'], type)
  if (!isVerificationMethodType(type)) {
    findings.report([...path, 'verificationMethodType'], 'must be a valid value')
  }
}

/** Of a type that it does not know the node does not look at the key. */
function checkMaterial(
  { verificationMethodType: type, verificationMaterial: material }: LedgerVerificationMethod,
  path: Path,
  findings: RuleFindings,
): void {
  if (!isVerificationMethodType(type)) return
  findings.required([...path, 'verificationMaterial'], material)
  const problem = ledgerMaterialProblem(type, material)
  if (problem !== undefined) findings.report([...path, 'verificationMaterial'], problem)
}

function checkAssertionMethods(payload: DidDocPayload, findings: RuleFindings): void {
  const path = ['payload', 'assertionMethod']
  findings.uniqueTexts(path, payload.assertionMethod, 'there should be no duplicates')
  const known = new Set(payload.verificationMethod.map(({ id }) => id))
  payload.assertionMethod.forEach((value, n) => {
    checkAssertionMethod(value, [...path, n], payload, findings, () => {
      if (known.has(value)) return
      findings.report(
        [...path, n],
        "assertionMethod should be a valid key reference within the DID document's verification method",
      )
    })
  })
}

/** @param ofUrl - further requirements for a DID URL of the document */
function checkAssertionMethod(
  value: string,
  path: Path,
  payload: DidDocPayload,
  findings: RuleFindings,
  ofUrl?: () => void,
): void {
  const embedded = quotedContent(value)
  if (embedded) checkEmbeddedMethod(embedded, path, payload, findings)
  else if (findings.didUrlComplaint(value, payload.id) !== undefined)
    findings.report(path, ASSERTION_METHOD_FORM)
  else ofUrl?.()
}

/** Whether the key of an embedded method is never used, as the ledger verifies nothing with it. */
function checkEmbeddedMethod(json: Buffer, path: Path, payload: DidDocPayload, findings: RuleFindings): void {
  const method = readOrReport(json, path, findings)
  if (!method) return
  if (payload.verificationMethod.some((one) => isSame(one, method))) {
    findings.report(path, 'assertionMethod should be a unique inline key fragment definition')
    return
  }
  findings.required([...path, 'id'], method.id)
  // It may be such a method itself.
  if (method.id !== '') checkAssertionMethod(method.id, [...path, 'id'], payload, findings)
  findings.required([...path, 'controller'], method.controller)
  findings.did([...path, 'controller'], method.controller)
}

function readOrReport(json: Buffer, path: Path, findings: RuleFindings): EmbeddedMethod | undefined {
  try {
    return readEmbeddedMethod(json)
  } catch (error) {
    if (!(error instanceof MalformedMethodError)) throw error
    findings.report(path, error.message)
    return undefined
  }
}

const isSame = (one: LedgerVerificationMethod, { id, type, controller, keys }: EmbeddedMethod): boolean =>
  one.id === id &&
  one.verificationMethodType === type &&
  one.controller === controller &&
  keys.includes(one.verificationMaterial)

function checkServices(payload: DidDocPayload, findings: RuleFindings): void {
  const path = ['payload', 'service']
  const ids = payload.service.map((service) => service.id)
  findings.uniqueTexts(path, ids, 'there are service duplicates')
  payload.service.forEach((service, n) => {
    checkService(service, [...path, n], payload.id, findings)
  })
}

function checkService(service: LedgerService, path: Path, subject: string, findings: RuleFindings): void {
  const { id, serviceType, serviceEndpoint } = service
  findings.required([...path, 'id'], id)
  findings.didUrl([...path, 'id'], id, subject)
  findings.required([...path, 'serviceType'], serviceType)
  findings.byteLength([...path, 'serviceType'], serviceType, BOUNDS.serviceTypeBytes)
  serviceEndpoint.forEach((endpoint, n) => findings.required([...path, 'serviceEndpoint', n], endpoint))
}
