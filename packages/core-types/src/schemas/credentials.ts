import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { credentialId } from './credential-register.js'
import { CredentialStatusEntry, CredentialStatusRequest } from './credential-status.js'
import { dateOrTime, did, jsonObject, jwtOrJson, problems, textOfCharacters, word } from './fields.js'
import { maxFee } from './status-list-fields.js'

/** A URI, as the data model wants it. */
const ID = /^[a-z][a-z0-9+.-]*:[^\s]+$/i

const uriList = z.array(z.string().min(1)).optional()

const statusOfNew = z.union([CredentialStatusRequest, CredentialStatusEntry])

/** `credentialStatus` is described here; `requestedStatusProblems` checks each request at its own place. */
export const CredentialIssueArgs = z.strictObject({
  issuerDid: did('DID of the issuer, held by the account'),
  subjectDid: did('DID of the subject').optional(),
  credentialId: credentialId.regex(ID, 'must be a URI, such as urn:uuid:...').optional().meta({
    description:
      'Its `id` (`jti` of an SD-JWT VC): a URI. Default: a new `urn:uuid:` if it has a `credentialStatus`, otherwise none',
  }),
  // Data model 2.0, section 4.8: an id alone claims nothing.
  attributes: jsonObject
    .refine((attributes) => Object.keys(attributes).some((member) => member !== 'id'), {
      error: 'must contain at least one claim besides the id',
    })
    .meta({ description: 'Claims about the subject: at least one besides its `id`' }),
  '@context': uriList.meta({ description: 'Contexts in addition to that of the data model' }),
  type: uriList.meta({ description: 'Types in addition to VerifiableCredential' }),
  name: z.unknown().optional().meta({ description: 'Name of the credential, in one language or several' }),
  description: z.unknown().optional().meta({ description: 'As `name`' }),
  validFrom: dateOrTime('Start of the validity period; default: now'),
  validUntil: dateOrTime('End of the validity period, in the future and after `validFrom`'),
  expirationDate: dateOrTime('Alias of `validUntil`'),
  format: word('Form of the credential, one of the configured ones; default: the first', [
    'jwt_vc',
    'vc+jwt',
    'dc+sd-jwt',
    'vc+sd-jwt',
    'ldp_vc',
  ]).optional(),
  vct: textOfCharacters(BOUNDS.text)
    .optional()
    .meta({ description: 'Type of an SD-JWT VC (required there); other formats have `type`' }),
  disclosureFrame: jsonObject.optional().meta({
    description:
      'SD-JWT formats: which `attributes` are selectively disclosable. `{"_sd": ["name"]}` makes the claim `name` selectively disclosable; nested members describe nested objects, `_sd_decoy` adds decoy digests',
    example: { _sd: ['name'] },
  }),
  cnf: z
    .strictObject({ jwk: jsonObject.meta({ description: 'JWK of a public key that can sign' }) })
    .optional()
    .meta({
      description:
        'SD-JWT VCs: the key that the holder proves, in place of that of the DID of the subject. Only the members of the public key are kept',
    }),
  credentialSchema: z
    .unknown()
    .optional()
    .meta({ description: 'See VC data model 2.0, 4.11; kept as it is' }),
  credentialStatus: z
    .union([statusOfNew, z.array(statusOfNew).min(1).max(BOUNDS.statusEntries)])
    .optional()
    .meta({
      description: 'Status of the credential: requests for entries, and ready entries',
    }),
  termsOfUse: z.unknown().optional().meta({ description: 'See VC data model 1.1, 5.5' }),
  refreshService: z.unknown().optional().meta({ description: 'See VC data model 1.1, 5.4' }),
  evidence: z.unknown().optional().meta({ description: 'See VC data model 1.1, 5.6' }),
})

/** An unsigned credential, which is signed as it is. */
export const CredentialSignArgs = z.strictObject({
  credential: jsonObject.meta({
    description:
      'The credential without a proof, of the data model 2.0, or of 1.1 in `ldp_vc`. Its `issuer` is a DID that the account holds; entries in its `credentialStatus` are checked as those of `credentialIssue`',
  }),
  format: CredentialIssueArgs.shape.format,
  credentialId: credentialId.optional().meta({
    description: 'Id in the register, if it has no `id`',
  }),
  credentialStatus: z
    .union([CredentialStatusRequest, z.array(CredentialStatusRequest).min(1).max(BOUNDS.statusEntries)])
    .optional()
    .meta({ description: 'Requests for status list entries, in addition to those in the credential' }),
})

/** A credential as an object of the data model: with its proof, or enveloping the text that secures it. */
export const SecuredCredential = z.looseObject({
  '@context': z.union([z.string(), z.array(z.union([z.string(), jsonObject]))]),
  type: z.union([z.string(), z.array(z.string())]),
})

const NEITHER = { error: 'must be true or false' }

/** How the status of credentials is looked at, and what may be paid for encrypted lists. */
export const statusTerms = {
  statusPolicy: z
    .enum(['default', 'required', 'skip'], { error: 'must be default, required or skip' })
    .optional()
    .meta({
      description:
        '`default`: every status entry must be valid; `required`: and there must be one for revocation; `skip`: none is checked',
    }),
  makeFeePayment: z.boolean(NEITHER).optional().meta({
    description:
      'Pay to read encrypted status lists. Default false: a status in an unpaid encrypted list does not verify',
  }),
  maxFee: maxFee.optional().meta({
    description:
      'Maximum that this call may pay for all encrypted lists together, in CHEQ; default: the limit of the installation',
    example: 5,
  }),
}

export const CredentialVerifyArgs = z.object({
  credential: jwtOrJson('The credential: JWT or SD-JWT, or JSON with one as its proof'),
  ...statusTerms,
})

const signedText = z.string().meta({ description: 'The JWT, or the SD-JWT with its disclosures' })

/** The text in which something was signed. */
export const textProof = z.object({ type: z.string(), jwt: signedText })

/** A credential with what was signed; one of the data model has the named members, an SD-JWT VC its own claims. */
export const IssuedCredential = z.looseObject({
  '@context': z.array(z.string()).exactOptional(),
  type: z.array(z.string()).exactOptional(),
  issuer: z.union([z.string(), z.looseObject({ id: z.string() })]).exactOptional(),
  credentialSubject: z.union([jsonObject, z.array(jsonObject)]).exactOptional(),
  vct: z.string().exactOptional().meta({ description: 'Type of an SD-JWT VC' }),
  proof: z.looseObject({ type: z.string(), jwt: signedText.exactOptional() }),
})

/** One thing that was looked at while verifying, in the order of looking. */
export const VerificationCheck = z.object({
  check: z.string().meta({
    description:
      '`format`, `document`, `signature`, `validity`, `status`; of presentations `audience`, `nonce`, `credentials`, `holder`',
  }),
  ok: z.boolean(),
  message: z.string().exactOptional(),
  code: z.literal('algorithm_not_supported').exactOptional().meta({
    description: 'Only where an algorithm, curve or key size is not supported, which `message` names',
  }),
})

/** The result for one status entry of a credential. */
export const CredentialStatusFinding = z.object({
  type: z.string().exactOptional().meta({ description: 'Type of the entry' }),
  purpose: z.string().exactOptional().meta({ description: 'Absent for types without purposes' }),
  list: z.string().exactOptional().meta({ description: 'DID URL of the list, or its https address' }),
  index: z.int().exactOptional(),
  status: z.int().exactOptional().meta({ description: 'Value of the entry' }),
  valid: z.boolean().exactOptional().meta({
    description: 'The value is 0: no purpose of the list applies, not only this one',
  }),
  revoked: z.boolean().exactOptional(),
  suspended: z.boolean().exactOptional(),
  message: z.string().exactOptional().meta({ description: 'What the value means' }),
  listMessage: z.string().exactOptional().meta({
    description: 'What the list calls the value, if the credential calls it something else',
  }),
  error: z.string().exactOptional().meta({ description: 'Why it could not be read' }),
  code: z.string().exactOptional().meta({
    description: '`status_issuer` if somebody signed the list who is no status issuer of the issuer',
  }),
})

export const CredentialVerifyResult = z.object({
  verified: z.boolean(),
  issuer: z.string().exactOptional(),
  subject: z.string().exactOptional(),
  signer: z.string().exactOptional().meta({ description: 'Verification method that signed' }),
  holderIsSubject: z.boolean().exactOptional().meta({
    description: 'In a presentation: whether its subject is the holder, if it names a subject',
  }),
  credential: jsonObject.exactOptional().meta({
    description: 'Taken from what was signed, never from what the caller sent alongside',
  }),
  validUntil: z.string().exactOptional().meta({
    format: 'date-time',
    description: 'When it expires, by the earliest of its members; absent: never',
  }),
  checks: z.array(VerificationCheck).meta({ description: 'Checks that were made, in order' }),
  statuses: z.array(CredentialStatusFinding).exactOptional().meta({
    description: 'Result of each status entry, in order',
  }),
  problems: problems.meta({ description: 'Why it did not verify' }),
})
