import * as schemas from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { exampleDid } from './did.js'
import { described } from './primitives.js'

export const VerifiableCredential = schemas.IssuedCredential.meta({
  id: 'VerifiableCredential',
  description: 'A credential with its proof',
})

const StatusFinding = schemas.CredentialStatusFinding.catchall(z.unknown()).meta({
  id: 'CredentialStatusFinding',
})

export const CredentialVerification = schemas.CredentialVerifyResult.extend({
  statuses: z
    .array(StatusFinding)
    .optional()
    .meta({ description: described(schemas.CredentialVerifyResult.shape.statuses) }),
}).meta({ id: 'CredentialVerification' })

export const PresentationVerification = schemas.PresentationVerifyResult.extend({
  credentials: z.array(CredentialVerification),
}).meta({ id: 'PresentationVerification' })

export const PresentationResult = schemas.PresentationCreateResult.extend({
  note: z.string().meta({ description: 'Says that the operation is for testing' }),
}).meta({ id: 'PresentationResult' })

export const exampleCredentialId = 'urn:uuid:3f2a9c1e-5b7d-4e8f-9a6b-1c2d3e4f5a6b'

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
