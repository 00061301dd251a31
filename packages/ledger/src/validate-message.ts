import type { Network } from '@vidimus/core-types'
import { checkDeactivatePayload, checkDidDocPayload } from './did-doc-rules.js'
import { normaliseDidUrl } from './identifiers.js'
import type { LedgerMessage } from './messages.js'
import { checkResourcePayload } from './resource-rules.js'
import { RuleFindings } from './rule-findings.js'

/**
 * Applies the rules that need no look at the state of the ledger (`ValidateBasic` of cheqd-node, and its check of the
 * namespace).
 *
 * @throws LedgerError of phase `check` with every broken rule in `problems`: `cheqd` 1205, or 1206 for another
 * ledger's DIDs and for every field of a resource
 */
export function validateMessage(network: Network, message: LedgerMessage): void {
  const findings = new RuleFindings(network)
  checkPayload(message, findings)
  checkSignatures(message, findings)
  findings.assertNone(message.type === 'createResource' ? 1206 : 1205)
}

function checkPayload(message: LedgerMessage, findings: RuleFindings): void {
  switch (message.type) {
    case 'createDidDoc':
    case 'updateDidDoc':
      return checkDidDocPayload(message.payload, findings)
    case 'deactivateDidDoc':
      return checkDeactivatePayload(message.payload, findings)
    case 'createResource':
      return checkResourcePayload(message.payload, findings)
  }
}

/** Creating a DID takes one signature by each verification method; where keys rotate, one method signs twice. */
function checkSignatures({ type, signatures }: LedgerMessage, findings: RuleFindings): void {
  const ids = signatures.map((info) => normaliseDidUrl(info.verificationMethodId))
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
