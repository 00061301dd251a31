import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { isLongerThan } from '../characters.js'
import { didAsKept } from '../did-spelling.js'
import { CredentialVerifyResult, statusTerms, VerificationCheck } from './credentials.js'
import { did, duration, jsonObject, jwtOrJson, problems, textOfCharacters, word } from './fields.js'

const notText = { error: `must be a text of 1 to ${BOUNDS.claim} characters` }
const claimText = z
  .string(notText)
  .min(1, notText)
  .refine((text) => !isLongerThan(text, BOUNDS.claim), notText)
  .meta({ maxLength: BOUNDS.claim })

/** @param maxCredentials - in one presentation, as it is configured */
export const presentationCreateArgs = (maxCredentials: number) =>
  z.strictObject({
    credentials: z
      .array(jwtOrJson('A credential: JWT or JSON object'), { error: 'must be a list of credentials' })
      .min(1, { error: 'must hold at least one credential' })
      .max(maxCredentials, { error: `must not hold more than ${maxCredentials} credentials` })
      .meta({
        description:
          'Credentials as JWT or SD-JWT, or as JSON whose proof is one of these or a Data Integrity proof',
      }),
    format: word(
      'Form of the presentation, one of the configured ones; default: the first. Credentials in `vp+jwt` and `ldp_vp` are of the data model 2.0; `dc+sd-jwt` shows one SD-JWT, bound to the key of its holder',
      ['jwt_vp', 'vp+jwt', 'dc+sd-jwt', 'ldp_vp'],
    ).optional(),
    holderDid: did(
      'DID of the holder, held by the account; default: the subject of the credentials',
    ).optional(),
    verifierDid: did('DID of the verifier; becomes `aud`, or the `domain` of an `ldp_vp`').optional(),
    audience: claimText
      .optional()
      .meta({ description: 'The verifier, if it has no DID; becomes `aud`, or `domain`' }),
    nonce: claimText.optional().meta({
      description: 'The challenge of the verifier, which prevents replay',
    }),
    presentationFrame: jsonObject.optional().meta({
      description: 'For `dc+sd-jwt`: claims to disclose; default: all that come with the credential',
      example: { name: true },
    }),
    expiresIn: duration.optional().meta({
      description: 'How long it is valid, an ISO 8601 duration; default: `PT1H`',
      example: 'PT15M',
    }),
  })

export type PresentationCreateArgsSchema = ReturnType<typeof presentationCreateArgs>

/** The verifier's expectations of a presentation. */
export const expectations = {
  verifierDid: textOfCharacters(BOUNDS.text).overwrite(didAsKept).optional().meta({
    description:
      'Must be in `aud`, or in the `domain` of the proof. Without it and `audience`, a presentation for a verifier verifies only if that is a DID of the account',
  }),
  audience: claimText.optional().meta({ description: 'Must be in `aud` or `domain`' }),
  nonce: claimText
    .optional()
    .meta({ description: 'Must be the nonce of the presentation, or the `challenge` of its proof' }),
  requireHolderIsSubject: z.boolean({ error: 'must be true or false' }).optional().meta({
    description: 'Every credential with a subject must be about the holder',
  }),
}

export const PresentationVerifyArgs = z.object({
  presentation: jwtOrJson(
    'The presentation: JWT or SD-JWT, or JSON with one or a Data Integrity proof as its proof',
  ),
  ...expectations,
  ...statusTerms,
})

/** Section 2.10 of the API contract, with the signed presentation beside it. */
export const PresentationCreateResult = z.object({
  vp: z
    .object({
      '@context': z.array(z.string()),
      type: z.array(z.string()),
      holder: z.string().exactOptional(),
      verifiableCredential: z.array(z.union([z.string(), jsonObject])).meta({
        description: 'Credentials as JWT; in a `vp+jwt` or `ldp_vp` objects, which may envelop them',
      }),
      proof: jsonObject
        .exactOptional()
        .meta({ description: 'The Data Integrity proof of an `ldp_vp`, which is itself presented' }),
    })
    .exactOptional()
    .meta({ description: 'Absent for an SD-JWT, which is itself presented' }),
  nbf: z.int().meta({ description: 'Unix time in seconds from which the presentation is valid' }),
  exp: z.int().meta({ description: 'Unix time in seconds at which it expires' }),
  iss: z.string().meta({ description: 'DID of the holder' }),
  aud: z.array(z.string()).meta({ description: 'The verifier, if named' }),
  nonce: z.string().exactOptional(),
  proof: z.looseObject({
    type: z.string(),
    jwt: z
      .string()
      .exactOptional()
      .meta({ description: 'The signed presentation; absent for an `ldp_vp`, which is `vp`' }),
  }),
})

export const PresentationVerifyResult = z.object({
  verified: z.boolean(),
  holder: z.string().exactOptional(),
  signer: z.string().exactOptional(),
  presentation: jsonObject.exactOptional(),
  checks: z.array(VerificationCheck),
  credentials: z
    .array(CredentialVerifyResult)
    .meta({ description: 'One for each credential in the presentation, in order' }),
  problems,
})
