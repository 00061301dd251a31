import { BOUNDS } from '@vidimus/core-types'
import * as credentials from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { ErrorBody } from '../errors/error-body.js'
import { ignored, object, text } from './primitives.js'

/** RFC 9457, as used by VCALM. */
const problem = {
  type: z.string().meta({ description: 'URL of the kind of problem' }),
  title: z.string(),
  detail: z.string(),
}

const ProblemDetails = z.object(problem).meta({ id: 'ProblemDetails', description: 'One problem (RFC 9457)' })
export type ProblemDetails = z.output<typeof ProblemDetails>

/** Includes the usual error members of the service. */
export const VcApiRefusal = ErrorBody.extend(problem).meta({
  id: 'VcApiRefusal',
  description: 'The error, as an error of the service and as problem details',
})

export const Options = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape).optional()

const format = (what: string, examples: readonly string[]) =>
  text(what, BOUNDS.word)
    .optional()
    .meta({ examples: [...examples] })

export const IssueOptions = Options({
  credentialId: credentials.CredentialSignArgs.shape.credentialId,
  format: format('Extension: form of the credential; default `ldp_vc`', ['ldp_vc', 'vc+jwt', 'vc+sd-jwt']),
  credentialStatus: credentials.CredentialSignArgs.shape.credentialStatus.meta({
    description: 'Extension: requests for entries of status lists, as in `POST /credential/issue`',
  }),
})

const yesOrNo = (description: string) => z.boolean('must be true or false').optional().meta({ description })

/** Clients of earlier drafts choose the checks. */
const checks = ignored('Policies are ignored: everything is verified.')

export const VerifyCredentialOptions = Options({
  returnResults: yesOrNo('Return the results of each step; default false'),
  returnProblemDetails: yesOrNo('Return the problems; default true'),
  returnCredential: yesOrNo('Return the credential as it was sent; default false'),
  checks,
})

/** The audience and challenge that the holder signs. */
export const asked = {
  challenge: text('The challenge of the verifier', BOUNDS.claim).optional(),
  domain: text('The verifier that it is for', BOUNDS.claim).optional(),
}

export const VerifyPresentationOptions = Options({
  ...asked,
  returnPresentation: yesOrNo('Return the presentation as it was sent; default false'),
  checks,
})

export const Secured = (what: string) =>
  object(`${what}, with its proof or enveloped`).meta({ examples: [{ '@context': [], type: [] }] })

const outcome = z.object({ verified: z.boolean(), input: z.unknown() })

const credentialResults = z.object({
  validFrom: outcome.exactOptional(),
  validUntil: outcome.exactOptional(),
  credentialStatus: z.array(outcome.extend({ value: z.int().exactOptional() })).exactOptional(),
  proof: z.array(outcome).exactOptional(),
})

export const VcApiCredentialResult = z
  .object({
    verified: z.boolean(),
    credential: object('As it was sent').exactOptional(),
    problemDetails: z.array(ProblemDetails).exactOptional(),
    results: credentialResults.exactOptional(),
  })
  .meta({ id: 'VcApiCredentialResult', description: 'How a credential was verified (VCALM)' })
export type VcApiCredentialResult = z.output<typeof VcApiCredentialResult>

export const VcApiPresentationResult = z
  .object({
    verified: z.boolean(),
    verifiablePresentation: object('As it was sent').exactOptional(),
    problemDetails: z.array(ProblemDetails).exactOptional(),
    results: z.object({
      presentation: z.object({
        challenge: outcome.exactOptional(),
        domain: outcome.exactOptional(),
        holder: outcome.exactOptional(),
        proof: z.array(outcome).exactOptional(),
      }),
      credentials: z.array(VcApiCredentialResult),
    }),
  })
  .meta({ id: 'VcApiPresentationResult', description: 'How a presentation was verified (VCALM)' })
export type VcApiPresentationResult = z.output<typeof VcApiPresentationResult>

export const exampleCredential = {
  '@context': ['https://www.w3.org/ns/credentials/v2'],
  type: ['VerifiableCredential'],
  issuer: 'did:cheqd:testnet:7bf81a20-633c-4cc7-bc4a-5a45801005e0',
  credentialSubject: { id: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK', name: 'Bob' },
}

export const exampleProof = {
  type: 'DataIntegrityProof',
  cryptosuite: 'eddsa-rdfc-2022',
  created: '2026-01-31T09:30:00Z',
  verificationMethod: `${exampleCredential.issuer}#key-1`,
  proofPurpose: 'assertionMethod',
  proofValue: 'z5UrStuknx6fyn65iaJFGgQ7Kb9EQ8NcDyYGKiLiiHxjyuVCY8CRodxnU7xXgc7iu5A5FxZGAG8uQDP1Ea7XvLcx5',
}
