export * from './errors.js'
export { formatCoins, isAmount, ncheqOf, parseCoins } from '@vidimus/core-types'
export * from './ledger-bank.js'
export * from './ledger.js'
export { MeasuredSubmission } from './measured-submission.js'
export * from './messages.js'
export {
  cheqdDid,
  isUniqueId,
  isUuid,
  normaliseDid,
  normaliseDidUrl,
  normaliseUniqueId,
} from './identifiers.js'
export { parseCheqdDid, parseDidUrl, splitDid, uniqueIdOfKey, type DidUrl } from './identifiers.js'
export { encodeMessage, signBytes } from './sign-bytes.js'
export {
  encodeVerificationMaterial,
  isVerificationMethodType,
  publicKeyOf,
  VERIFICATION_METHOD_TYPES,
  verifySignature,
  type PublicKeyHex,
  type VerificationMethodType,
} from './verification-material.js'
export { toDidDocument } from './did-document.js'
export { fromDidDocument } from './from-did-document.js'
export { demandBounds, documentBoundProblems } from './message-bounds.js'
export { stricterProblems } from './stricter-rules.js'
export { keptMessage, normaliseMessage } from './normalise-message.js'
export { requiredSigners } from './required-signers.js'
export { shownResources } from './linked-resources.js'
export {
  resourceUri,
  toDidDocumentMetadata,
  toLinkedResourceMetadata,
  type ShownResources,
  type CheqdDidDocumentMetadata,
} from './resolver-metadata.js'
export { toAgentError } from './agent-error.js'
export { authoriseMessage, messageSubject as subjectOf, type LedgerState } from './authorise-message.js'
export { checksumOf } from './checksum.js'
export { dereference, type DereferenceOptions } from './dereference.js'
export { findVersion, fragmentPart as partOf } from './dereference-document.js'
export { readTime } from './dereference-time.js'
export { detectMediaType } from './detect-media-type.js'
export { refusal } from './refusals.js'
export { validateMessage } from './validate-message.js'
