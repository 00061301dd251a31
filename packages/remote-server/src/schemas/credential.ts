import { z } from 'zod'
import { exampleDid } from './did.js'

const Check = z.object({
  check: z.string().meta({ description: '`signature`, `validity`, `status`, `audience`, `holder`, ...' }),
  ok: z.boolean(),
  message: z.string().optional(),
})
const problems = z.array(z.object({ path: z.string(), message: z.string() })).optional()

export const VerifiableCredential = z
  .object({
    '@context': z.array(z.string()),
    type: z.array(z.string()),
    issuer: z.union([z.string(), z.record(z.string(), z.unknown())]),
    credentialSubject: z.union([
      z.record(z.string(), z.unknown()),
      z.array(z.record(z.string(), z.unknown())),
    ]),
    proof: z.object({ type: z.string(), jwt: z.string() }),
  })
  .catchall(z.unknown())
  .meta({ id: 'VerifiableCredential', description: 'A credential with its JWT' })

/** What one status entry of a credential says. */
const StatusFinding = z
  .object({
    type: z.string().optional().meta({ description: 'Type of the entry' }),
    purpose: z.string().optional(),
    list: z.string().optional().meta({ description: 'DID URL of the list, or its https address' }),
    index: z.int().optional(),
    status: z.int().optional().meta({ description: 'Value of the entry' }),
    valid: z.boolean().optional(),
    revoked: z.boolean().optional(),
    suspended: z.boolean().optional(),
    message: z.string().optional(),
    error: z.string().optional().meta({ description: 'Why it could not be read' }),
  })
  .catchall(z.unknown())
  .meta({ id: 'CredentialStatusFinding' })

export const CredentialVerification = z
  .object({
    verified: z.boolean(),
    issuer: z.string().optional(),
    subject: z.string().optional(),
    signer: z.string().optional().meta({ description: 'Verification method that signed' }),
    holderIsSubject: z
      .boolean()
      .optional()
      .meta({ description: 'In a presentation: whether it is about the holder, where it names a subject' }),
    credential: z.record(z.string(), z.unknown()).optional().meta({ description: 'As its JWT says' }),
    validUntil: z
      .string()
      .optional()
      .meta({ format: 'date-time', description: 'When it ends; left out: never' }),
    checks: z.array(Check).meta({ description: 'What was looked at, in that order' }),
    statuses: z
      .array(StatusFinding)
      .optional()
      .meta({ description: 'What each status entry says, in their order' }),
    problems,
  })
  .meta({ id: 'CredentialVerification' })

export const PresentationVerification = z
  .object({
    verified: z.boolean(),
    holder: z.string().optional(),
    signer: z.string().optional(),
    presentation: z.record(z.string(), z.unknown()).optional(),
    checks: z.array(Check),
    credentials: z.array(CredentialVerification),
    problems,
  })
  .meta({ id: 'PresentationVerification' })

/** Section 2.10 of the contract. */
export const PresentationResult = z
  .object({
    vp: z.object({
      '@context': z.array(z.string()),
      type: z.array(z.string()),
      holder: z.string().optional(),
      verifiableCredential: z
        .array(z.union([z.string(), z.record(z.string(), z.unknown())]))
        .meta({ description: 'Credentials as JWT; in a `vp+jwt` objects that envelop them' }),
    }),
    nbf: z.int().meta({ description: 'Unix time in seconds from which on the presentation is valid' }),
    exp: z.int().meta({ description: 'Unix time in seconds at which it ends' }),
    iss: z.string().meta({ description: 'DID of the holder' }),
    aud: z.array(z.string()).meta({ description: 'The verifier, where one was named' }),
    nonce: z.string().optional(),
    proof: z.object({
      type: z.literal('JwtProof2020'),
      jwt: z.string().meta({ description: 'The signed presentation' }),
    }),
    note: z.string().meta({ description: 'Says that the operation is for testing' }),
  })
  .meta({ id: 'PresentationResult' })

export const exampleJwt = 'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9.eyJ2YyI6e319.c2lnbmF0dXJl'
export const exampleHolder = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK'
export const exampleListUrl = `${exampleDid}?resourceName=employees&resourceType=BitstringStatusListCredential`
export const exampleVerification = {
  verified: true,
  issuer: exampleDid,
  subject: exampleHolder,
  signer: `${exampleDid}#key-1`,
  checks: [
    { check: 'signature', ok: true },
    { check: 'validity', ok: true },
    { check: 'status', ok: true },
  ],
  statuses: [
    {
      type: 'BitstringStatusListEntry',
      purpose: 'revocation',
      list: exampleListUrl,
      index: 94567,
      status: 0,
      valid: true,
      revoked: false,
    },
  ],
}
