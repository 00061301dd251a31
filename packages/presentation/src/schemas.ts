import {
  BOUNDS,
  didAsKept,
  durationSentence,
  isDuration,
  isLongerThan,
  type PresentationFormat,
} from '@vidimus/core-types'
import {
  checks,
  CredentialVerifyResultSchema,
  did,
  formatArgument,
  jsonObject,
  jwtOrJson,
  jwtProof,
  problems,
  statusTerms,
} from '@vidimus/credentials'
import { z } from 'zod'

const notText = { error: `must be a text of 1 to ${BOUNDS.claim} characters` }
const claimText = z
  .string(notText)
  .min(1, notText)
  .refine((text) => !isLongerThan(text, BOUNDS.claim), notText)
  .optional()
const audience = claimText
const duration = z
  .string({ error: ({ input }) => durationSentence(input) })
  .refine(isDuration, { error: ({ input }) => durationSentence(input) })
const nonce = claimText

export type PresentationCreateSchema = ReturnType<typeof presentationCreateSchema>

/**
 * @param maxCredentials - in one presentation, at least 1
 * @param formats - those that there are
 */
export const presentationCreateSchema = (maxCredentials: number, formats: readonly PresentationFormat[]) =>
  z.strictObject({
    credentials: z
      .array(jwtOrJson, { error: 'must be a list of credentials' })
      .min(1, { error: 'must hold at least one credential' })
      .max(maxCredentials, { error: `must not hold more than ${maxCredentials} credentials` }),
    format: formatArgument(formats),
    holderDid: did.optional(),
    verifierDid: did.optional(),
    audience,
    nonce,
    expiresIn: duration.optional(),
  })

const verifierDid = z.string().min(1).overwrite(didAsKept).optional()

const expectations = {
  verifierDid,
  audience,
  nonce,
  requireHolderIsSubject: z.boolean({ error: 'must be true or false' }).optional(),
}

export const PresentationVerifySchema = z.object({
  presentation: jwtOrJson,
  ...expectations,
  ...statusTerms,
})

/** What is checked before verifying; whatever is wrong with the document itself, the verdict tells. */
export const VerifyArgumentsSchema = z.looseObject({ ...expectations, ...statusTerms })

export const PresentationCreateResultSchema = z.object({
  vp: z.object({
    '@context': z.array(z.string()),
    type: z.array(z.string()),
    holder: z.string().optional(),
    verifiableCredential: z.array(z.union([z.string(), jsonObject])),
  }),
  nbf: z.int(),
  exp: z.int(),
  iss: z.string(),
  aud: z.array(z.string()),
  nonce: z.string().optional(),
  proof: jwtProof,
})

export const PresentationVerifyResultSchema = z.object({
  verified: z.boolean(),
  holder: z.string().optional(),
  signer: z.string().optional(),
  presentation: jsonObject.optional(),
  checks,
  credentials: z.array(CredentialVerifyResultSchema),
  problems,
})
