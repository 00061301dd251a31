import { type Network, BOUNDS } from '@vidimus/core-types'
import { checkDeactivatePayload, checkDidDocPayload, checkUuid } from './did-doc-rules.js'
import { keptDidUrl } from './kept-did-url.js'
import type { LedgerMessage, ResourcePayload } from './messages.js'
import { normaliseMessage } from './normalise-message.js'
import { RuleFindings } from './rule-findings.js'
import { isUniqueId } from './identifiers.js'

/**
 * Applies the rules that are checked before a message reaches the ledger (`ValidateBasic` of cheqd-node). {@link
 * validateOnLedger} checks those of resources, and that of the namespace.
 *
 * @throws LedgerError of phase `check`, `cheqd` 1205, with every broken rule in `problems`
 */
export function validateMessage(network: Network, message: LedgerMessage): void {
  if (message.type === 'createResource') return
  const findings = ruleFindings(message, undefined, true)
  if (findings.isEmpty) return
  findings.assertNone(1205, ruleFindings(message, network, false).problems)
}

/**
 * Applies the rules for a message by itself that the ledger applies with the first look at its state: once more, to the
 * normalised message, and for its own namespace.
 *
 * @throws LedgerError of phase `check`, `cheqd` 1206, with every broken rule in `problems`
 */
export function validateOnLedger(network: Network, message: LedgerMessage): void {
  const signatures = message.signatures.map((info) => ({
    ...info,
    verificationMethodId: keptDidUrl(info.verificationMethodId),
  }))
  ruleFindings({ ...normaliseMessage(message), signatures }, network, false).assertNone(1206)
}

function ruleFindings(
  message: LedgerMessage,
  namespace: Network | undefined,
  materials: boolean,
): RuleFindings {
  const findings = new RuleFindings(namespace)
  checkPayload(message, findings, materials)
  checkSignatures(message, findings)
  return findings
}

function checkPayload(message: LedgerMessage, findings: RuleFindings, materials: boolean): void {
  switch (message.type) {
    case 'createDidDoc':
    case 'updateDidDoc':
      return checkDidDocPayload(message.payload, findings, materials)
    case 'deactivateDidDoc':
      return checkDeactivatePayload(message.payload, findings)
    case 'createResource':
      return checkResourcePayload(message.payload, findings)
  }
}

/** Creating a DID accepts one signature by each verification method; in a key rotation one method signs twice. */
function checkSignatures({ type, signatures }: LedgerMessage, findings: RuleFindings): void {
  const ids = signatures.map((info) => info.verificationMethodId)
  if (type === 'createDidDoc') {
    findings.uniqueTexts(['signatures'], ids, 'there are sign info records with the same ID')
  } else {
    const infos = signatures.map(({ signature }, n) => `${ids[n]} ${Buffer.from(signature).toString('hex')}`)
    findings.uniqueTexts(['signatures'], infos, 'there are full sign info duplicates')
  }
  signatures.forEach(({ verificationMethodId, signature }, n) => {
    findings.required(['signatures', n, 'verificationMethodId'], verificationMethodId)
    findings.didUrl(['signatures', n, 'verificationMethodId'], verificationMethodId)
    findings.required(['signatures', n, 'signature'], signature)
  })
}

/** The rules for a resource by itself (`MsgCreateResourcePayload.Validate` of cheqd-node). */
function checkResourcePayload(payload: ResourcePayload, findings: RuleFindings): void {
  const at = (name: keyof ResourcePayload) => ['payload', name]
  findings.required(at('collectionId'), payload.collectionId)
  if (!isUniqueId(payload.collectionId)) {
    findings.report(
      at('collectionId'),
      'unique id should be one of: 16 bytes of decoded base58 string or UUID',
    )
  }
  findings.required(at('id'), payload.id)
  checkUuid(at('id'), payload.id, findings)
  findings.required(at('name'), payload.name)
  findings.required(at('resourceType'), payload.resourceType)
  for (const name of ['name', 'resourceType', 'version'] as const) {
    findings.byteLength(at(name), payload[name], BOUNDS.resourceNameBytes)
  }
  checkAlternatives(payload, findings)
  findings.required(at('data'), payload.data)
  findings.byteLength(at('data'), payload.data, BOUNDS.resourceBytes)
}

function checkAlternatives({ alsoKnownAs }: ResourcePayload, findings: RuleFindings): void {
  alsoKnownAs.forEach(({ uri, description }, n) => {
    const path = ['payload', 'alsoKnownAs', n]
    findings.required([...path, 'uri'], uri)
    findings.byteLength([...path, 'uri'], uri, BOUNDS.alternativeUriBytes)
    findings.byteLength([...path, 'description'], description, BOUNDS.alternativeDescriptionBytes)
  })
}
