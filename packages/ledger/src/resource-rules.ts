import { BOUNDS } from '@vidimus/core-types'
import { checkUuid } from './did-doc-rules.js'
import { isUniqueId } from './identifiers.js'
import type { ResourcePayload } from './messages.js'
import type { RuleFindings } from './rule-findings.js'

/** The rules for a resource by itself (`MsgCreateResourcePayload.Validate` of cheqd-node). */
export function checkResourcePayload(payload: ResourcePayload, findings: RuleFindings): void {
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
