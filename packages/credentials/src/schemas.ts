import { didAsKept, isDid, isPointInTime, NO_TIME, type CredentialFormat } from '@vidimus/core-types'
import { z } from 'zod'
import { formatArgument } from './format-of.js'
import { requestedStatusProblems, StatusEntrySchema, StatusRequestSchema } from './status/requested-status.js'

export const jsonObject = z.record(z.string(), z.unknown())

const notDid = { error: 'must be a DID, without path, query and fragment' }

export const did = z.string(notDid).refine(isDid, notDid).overwrite(didAsKept)

const relationship = z.enum(['assertionMethod', 'authentication']).optional()

const uriList = z.array(z.string().min(1)).optional()

const statusOfNew = z.union([StatusRequestSchema, StatusEntrySchema])

export const jwtOrJson = z.union([z.string(), jsonObject], {
  error: 'must be a JWT or a JSON object whose proof holds one',
})

const isoDate = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be a date and time as ISO 8601 has it, with Z or an offset',
  })
  .refine(isPointInTime, NO_TIME)

export const DIDJwtCreateSchema = z.strictObject({
  did,
  payload: jsonObject,
  header: jsonObject
    .refine((header) => !('crit' in header), { error: 'must not demand extensions (crit)' })
    .optional(),
  relationship,
})

export const DIDJwtVerifySchema = z.strictObject({ jwt: z.string(), did, relationship })

/** As agents describe it; {@link credentialIssueArguments} checks it. */
const CredentialIssueSchema = z.strictObject({
  issuerDid: did,
  subjectDid: did.optional(),
  // Data model 2.0, section 4.8: an id alone claims nothing.
  attributes: jsonObject.refine((attributes) => Object.keys(attributes).some((member) => member !== 'id'), {
    error: 'must hold at least one claim about the subject, beside its id',
  }),
  '@context': uriList,
  type: uriList,
  validFrom: isoDate.optional(),
  validUntil: isoDate.optional(),
  expirationDate: isoDate.optional(),
  name: z.unknown().optional(),
  description: z.unknown().optional(),
  credentialSchema: z.unknown().optional(),
  credentialStatus: z.union([statusOfNew, z.array(statusOfNew).min(1)]).optional(),
  termsOfUse: z.unknown().optional(),
  refreshService: z.unknown().optional(),
  evidence: z.unknown().optional(),
})

/** @param formats - those that there are */
export const credentialIssueSchema = (formats: readonly CredentialFormat[]) =>
  CredentialIssueSchema.extend({ format: formatArgument(formats) })

/** Looks at each request for a status by itself, so that its problems have their place. */
export const credentialIssueArguments = (formats: readonly CredentialFormat[]) =>
  credentialIssueSchema(formats).extend({
    credentialStatus: z
      .unknown()
      .superRefine((value, context) => {
        for (const { path, message } of requestedStatusProblems(value)) {
          context.addIssue({ code: 'custom', message, path })
        }
      })
      .optional(),
  })

const makeFeePayment = z.boolean({ error: 'must be true or false' }).optional()

const maxFee = z
  .number({ error: 'must be an amount in CHEQ from 0 on' })
  .min(0, { error: 'must be an amount in CHEQ from 0 on' })
  .optional()

/** How the status of credentials is looked at, and what may be paid for encrypted lists. */
export const statusTerms = {
  statusPolicy: z
    .enum(['default', 'required', 'skip'], { error: 'must be default, required or skip' })
    .optional(),
  makeFeePayment,
  maxFee,
}

export const CredentialVerifySchema = z.object({ credential: jwtOrJson, ...statusTerms })

/** What is checked before verifying; whatever is wrong with the credential itself, the verdict tells. */
export const CredentialVerifyArguments = z.looseObject(statusTerms)

export const checks = z.array(
  z.object({ check: z.string(), ok: z.boolean(), message: z.string().optional() }),
)

export const problems = z.array(z.object({ path: z.string(), message: z.string() })).optional()

export const jwtProof = z.object({ type: z.literal('JwtProof2020'), jwt: z.string() })

export const DIDJwtVerifyResultSchema = z.object({
  header: jsonObject,
  payload: jsonObject,
  signer: z.string(),
})

export const IssuedCredentialSchema = z.looseObject({
  '@context': z.array(z.string()),
  type: z.array(z.string()),
  issuer: z.union([z.string(), z.looseObject({ id: z.string() })]),
  credentialSubject: z.union([jsonObject, z.array(jsonObject)]),
  proof: jwtProof,
})

export const CredentialVerifyResultSchema = z.object({
  verified: z.boolean(),
  issuer: z.string().optional(),
  subject: z.string().optional(),
  signer: z.string().optional(),
  holderIsSubject: z.boolean().optional(),
  credential: jsonObject.optional(),
  validUntil: z.string().optional(),
  checks,
  statuses: z.array(jsonObject).optional(),
  problems,
})
