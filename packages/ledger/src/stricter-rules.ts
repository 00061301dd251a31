import type { Problem } from '@vidimus/core-types'
import { textAfterUpdate } from './kept-did-url.js'
import { boundProblems } from './message-bounds.js'
import type { DidDocPayload, LedgerDidDoc, UnsignedLedgerMessage } from './messages.js'
import { isVerificationMethodType, verificationMaterialProblem } from './verification-material.js'

/** A rule of this service for what the ledger would accept. */
interface StricterRule {
  /** why it should not be signed */
  reason: string
  /** one for each place that breaks it */
  problems: (message: UnsignedLedgerMessage, before: LedgerDidDoc | undefined) => Problem[]
}

/** Where the service is stricter than the ledger on purpose, with its reasons. */
export const STRICTER_RULES: readonly StricterRule[] = [
  {
    reason:
      'The ledger takes keys that no private key has or that anybody can sign for (points of low order, numbers off the ' +
      'curve), and texts that readers understand in several ways (a wrong multicodec, a JWK with text behind it, with ' +
      'a member twice, or with numbers that are not base64url).',
    problems: (message) => ofDocument(message, keyProblems),
  },
  {
    reason:
      'An update takes the texts of `assertionMethod` for DID URLs, also those of embedded methods, and keeps only what ' +
      'stands behind the last but one "#". Whoever signs such a text has a document that is damaged by its next update.',
    problems: (message) => ofDocument(message, cutProblems),
  },
  {
    reason: 'More than this service stores for anybody, or a text that not every database holds.',
    problems: boundProblems,
  },
]

/**
 * The parts of a message that the ledger accepts but nobody should sign.
 *
 * @param before - the newest version of the document that is changed
 */
export const stricterProblems = (message: UnsignedLedgerMessage, before?: LedgerDidDoc): Problem[] =>
  STRICTER_RULES.flatMap(({ problems }) => problems(message, before))

const ofDocument = (
  message: UnsignedLedgerMessage,
  problems: (payload: DidDocPayload) => Problem[],
): Problem[] =>
  message.type === 'createDidDoc' || message.type === 'updateDidDoc' ? problems(message.payload) : []

const keyProblems = ({ verificationMethod }: DidDocPayload): Problem[] =>
  verificationMethod.flatMap(({ verificationMethodType: type, verificationMaterial: material }, n) => {
    const problem = isVerificationMethodType(type) ? verificationMaterialProblem(type, material) : undefined
    return problem === undefined
      ? []
      : [{ path: `verificationMethod[${n}].verificationMaterial`, message: problem }]
  })

const cutProblems = ({ assertionMethod }: DidDocPayload): Problem[] =>
  assertionMethod.flatMap((text, n) =>
    textAfterUpdate(text) === text
      ? []
      : [
          {
            path: `assertionMethod[${n}]`,
            message:
              'an update of the document would damage it on the ledger, which keeps of an embedded method what follows ' +
              'the last but one "#", and no empty query; give it one DID URL (its id) and no other "#", or ' +
              'name it as a verification method',
          },
        ],
  )
