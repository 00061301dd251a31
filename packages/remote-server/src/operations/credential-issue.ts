import type { CredentialIssueArgs } from '@vidimus/core-types'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { exampleHolder, exampleJwt, VerifiableCredential } from '../schemas/credential.js'
import { exampleDid } from '../schemas/did.js'
import { did, object, uriList, words } from '../schemas/primitives.js'
import { withoutUndefined } from './without-undefined.js'

const anything = (description: string) =>
  z
    .union([object('One'), z.array(z.record(z.string(), z.unknown()))])
    .optional()
    .meta({ description })

export const credentialIssue = defineOperation({
  id: 'credential-issue',
  method: 'post',
  path: '/credential/issue',
  tag: 'Credentials',
  summary: 'Issue a credential',
  description: 'Signs a credential as JWT (VC data model 1.1) with a DID of the account.',
  needs: ['credentialIssue'],
  body: z.strictObject({
    issuerDid: did('DID of the issuer, held by the account'),
    subjectDid: did('DID of the subject').optional(),
    attributes: object('Claims about the subject'),
    '@context': uriList('Contexts beside that of the data model').optional(),
    type: words('Types beside VerifiableCredential').optional(),
    expirationDate: z
      .union([z.iso.datetime({ offset: true }), z.iso.date()], {
        error: 'has to be an ISO 8601 time such as 2027-01-31T00:00:00Z',
      })
      .optional()
      .meta({ description: 'End of the validity' }),
    format: z.literal('jwt').optional().meta({ description: 'Only `jwt`' }),
    credentialStatus: anything('Ready status entries, as the type of the status list has them'),
    termsOfUse: anything('See VC data model 1.1, 5.5'),
    refreshService: anything('See VC data model 1.1, 5.4'),
    evidence: anything('See VC data model 1.1, 5.6'),
  }),
  response: VerifiableCredential,
  responseExample: {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential', 'Person'],
    issuer: { id: exampleDid },
    credentialSubject: { id: exampleHolder, name: 'Bob' },
    issuanceDate: '2026-01-31T09:30:00.000Z',
    proof: { type: 'JwtProof2020', jwt: exampleJwt },
  },
  examples: [
    {
      summary: 'A person',
      body: {
        issuerDid: exampleDid,
        subjectDid: exampleHolder,
        type: ['Person'],
        attributes: { name: 'Bob' },
        expirationDate: '2027-01-31T00:00:00Z',
      },
    },
  ],
  run: ({ body: { format, ...body }, agent }) =>
    agent.credentialIssue(withoutUndefined(body) as CredentialIssueArgs),
})
